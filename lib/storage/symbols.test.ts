import { bytesSource } from "@slipway/installers";
import { dsymEntries, makeDsyms, makeFatMachO, makeZip } from "@slipway/installers/testing";
import { describe, expect, it } from "vitest";
import { readSymbolsInThread } from "./symbols";

const UUID = "6A5C1B2D-0000-4000-8000-00000000000A";

describe("symbols in a thread", () => {
  it("are read", async () => {
    const images = await readSymbolsInThread("dsym", bytesSource(makeDsyms([UUID])));
    expect(images).toEqual([{ uuid: UUID, architecture: "arm64", name: "Program0" }]);
  });

  it("are refused with the reason, and a file that takes too long does not delay others", async () => {
    await expect(readSymbolsInThread("mapping", bytesSource(makeDsyms([UUID])))).rejects.toMatchObject({
      code: "invalid_symbols",
      detailKey: "mapping_not_text",
    });
    // The second slice is behind 200 MB of zeros, which take 200 kB of the archive.
    const contents = new Uint8Array(200_000_000);
    const fat = makeFatMachO([
      { uuid: UUID, fileType: 10, contents },
      { uuid: UUID, fileType: 10 },
    ]);
    const bomb = bytesSource(makeZip(dsymEntries({ Program: fat })));
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 5);
    const reading = readSymbolsInThread("dsym", bomb, { processorTimeMs: 1 });
    await expect(reading).rejects.toMatchObject({ code: "invalid_symbols", detailKey: "symbols_timed_out" });
    clearInterval(timer);
    // How many depends on the machine. Reading on this thread leaves none before it ends.
    expect(turns).toBeGreaterThan(0);
  }, 60_000);

  it("fail with the error of the store", async () => {
    const source = { size: 100_000, read: () => Promise.reject(new Error("the store is away")) };
    await expect(readSymbolsInThread("dsym", source)).rejects.toThrow("the store is away");
  });
});
