import { vi } from "vitest";
import type { Command } from "@/lib/api/operation";
import { type Db, db } from "@/lib/db/client";

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

/** The database, with something that happens just after the first query that it is asked. */
export function afterFirstQuery(event: () => Promise<unknown>): Db {
  let happened = false;
  const asking =
    (query: (...args: unknown[]) => Promise<unknown>) =>
    async (...args: unknown[]) => {
      const answer = await query(...args);
      if (!happened) {
        happened = true;
        await event();
      }
      return answer;
    };
  return new Proxy(db, {
    get(_, name) {
      const part = Reflect.get(db, name);
      if (typeof part === "function") return asking(part.bind(db));
      return new Proxy(part, { get: (model, method) => asking(Reflect.get(model, method)) });
    },
  });
}
