import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { bisectTarget, toBisect } from "../data";
import { bisectIdInput, bisectSchema } from "../schema";

/** One of the caller's searches, with the next build to try or the one that brought the fault. */
export const getBisect = defineQuery({
  area: "apps",
  name: "get-bisect",
  summary: "Get one of one’s own searches for the build that introduced a bug",
  access: { own: "bisect", anyTarget: "release:read" },
  input: bisectIdInput,
  output: bisectSchema,
  errors: [],
  target: (input, db) => bisectTarget(db, input.id),
  handler: ({ target, db }) => toBisect(db, target.bisect),
});
