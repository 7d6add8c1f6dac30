import { describe, expect, it } from "vitest";
import { reportProgress } from "./progress";

function stream(isTTY: boolean) {
  const written: string[] = [];
  return {
    written,
    stream: { isTTY, write: (text: string) => written.push(text) > 0 } as unknown as NodeJS.WriteStream,
  };
}

describe("the progress of a command", () => {
  it("is a bar on a terminal", () => {
    const { written, stream: terminal } = stream(true);
    const progress = reportProgress("opened", terminal);
    progress.update(1, 2);
    progress.update(2, 2);
    progress.end();
    expect(written).toEqual([
      `\r${"█".repeat(15)}${"░".repeat(15)} 50% (1 of 2 opened)`,
      `\r${"█".repeat(30)} 100% (2 of 2 opened)`,
      "\n",
    ]);
  });

  it("is not written elsewhere if the command is fast", () => {
    const { written, stream: pipe } = stream(false);
    const progress = reportProgress("opened", pipe);
    progress.update(1, 2);
    progress.update(0, 0);
    progress.end();
    expect(written).toEqual([]);
  });
});
