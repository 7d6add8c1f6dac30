import "server-only";
import { listOutput } from "@/lib/api/list";
import { defineQuery } from "@/lib/api/operation";
import { listPlatforms, toPlatform } from "../data";
import { getPlatformsInput, platformSchema } from "../schema";

/** The platforms that releases are made for. */
export const getPlatforms = defineQuery({
  area: "config",
  name: "get-platforms",
  summary: "List the platforms",
  access: "user",
  input: getPlatformsInput,
  output: listOutput(platformSchema),
  errors: [],
  async handler({ input, db }) {
    const { rows, nextCursor, total } = await listPlatforms(db, input);
    return { items: rows.map(toPlatform), nextCursor, total };
  },
});
