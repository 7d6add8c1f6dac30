import "server-only";
import { z } from "zod";
import { defineQuery } from "@/lib/api/operation";
import { passkeysOf, toPasskey } from "../data";
import { passkeysOutput } from "../schema";

/** The signed-in user's passkeys, newest first, without pages, because their number is limited. */
export const getUserPasskeys = defineQuery({
  area: "auth",
  name: "get-user-passkeys",
  summary: "List the caller’s own passkeys",
  access: "user",
  input: z.strictObject({}),
  output: passkeysOutput,
  errors: [],
  async handler({ actor, db }) {
    return { items: (await passkeysOf(db, actor.userId)).map(toPasskey) };
  },
});
