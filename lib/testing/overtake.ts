import { vi } from "vitest";
import type { Command } from "@/lib/api/operation";

/** Has something happen in the next call of a command, after the call was let in and prepared and before its handler. */
// biome-ignore lint/suspicious/noExplicitAny: any command
export function beforeHandler(command: Command<any, any, any, any>, event: () => Promise<unknown>): void {
  const { handler } = command;
  const spy = vi.spyOn(command, "handler").mockImplementationOnce(async (context) => {
    spy.mockRestore();
    await event();
    return handler(context);
  });
}
