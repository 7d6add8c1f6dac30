import { vi } from "vitest";
import type { AuditedOperation } from "@/lib/api/operation";
import { type Db, db } from "@/lib/db/client";

/** Has something happen in the next call of an operation, after its caller was let in and before its handler runs. */
export function beforeHandler(operation: AuditedOperation, event: () => Promise<unknown>): void {
  const { handler } = operation;
  const spy = vi.spyOn(operation, "handler").mockImplementationOnce(async (context: unknown) => {
    spy.mockRestore();
    await event();
    return handler(context as never);
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
