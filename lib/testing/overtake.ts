import { vi } from "vitest";
import type { AuditedOperation } from "@/lib/api/operation";
import { type Db, db } from "@/lib/db/client";

/** Runs `event` in the next call of an operation, after its caller was authorized and before its handler runs. */
export function beforeHandler(operation: AuditedOperation, event: () => Promise<unknown>): void {
  const { handler } = operation;
  const spy = vi.spyOn(operation, "handler").mockImplementationOnce(async (context: unknown) => {
    spy.mockRestore();
    await event();
    return handler(context as never);
  });
}

/** Returns a database client that runs `event` after its first query. */
export function afterFirstQuery(event: () => Promise<unknown>): Db {
  let happened = false;
  const wrap =
    (query: (...args: unknown[]) => Promise<unknown>) =>
    async (...args: unknown[]) => {
      const result = await query(...args);
      if (!happened) {
        happened = true;
        await event();
      }
      return result;
    };
  return new Proxy(db, {
    get(_, name) {
      const part = Reflect.get(db, name);
      if (typeof part === "function") return wrap(part.bind(db));
      return new Proxy(part, { get: (model, method) => wrap(Reflect.get(model, method)) });
    },
  });
}
