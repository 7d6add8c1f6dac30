import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { listWebhooks, toWebhook } from "../data";
import { getWebhooksInput, webhooksOutput } from "../schema";

/** The webhooks, newest first, without their secrets. */
export const getWebhooks = defineQuery({
  area: "webhooks",
  name: "get-webhooks",
  summary: "List the webhooks",
  access: "admin",
  input: getWebhooksInput,
  output: webhooksOutput,
  errors: [],
  async handler({ input, db }) {
    const { rows, nextCursor, total } = await listWebhooks(db, input);
    return { items: rows.map(toWebhook), nextCursor, total };
  },
});
