import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { listExpiring } from "../data";
import { expiringOutput, getExpiringInput } from "../schema";

/** Everything that ends, of what the caller may see, with what it takes down. */
export const getExpiring = defineQuery({
  area: "expiry",
  name: "get-expiring",
  summary: "List what has expired or expires, and what stops working with it",
  access: "user",
  input: getExpiringInput,
  output: expiringOutput,
  errors: [],
  handler: ({ input, db, actor, request }) => listExpiring(db, actor, { ...input, now: request.now }),
});
