import "server-only";
import type { z } from "zod";
import { csvOf } from "@/lib/api/csv";
import { listOutput } from "@/lib/api/list";
import { defineQuery } from "@/lib/api/operation";
import type { Db } from "@/lib/db/client";
import { listPlatforms, toPlatform } from "../data";
import { getPlatformsInput, platformSchema } from "../schema";

async function list({ input, db }: { input: z.output<typeof getPlatformsInput>; db: Db }) {
  const { rows, nextCursor, total } = await listPlatforms(db, input);
  return { items: rows.map(toPlatform), nextCursor, total };
}

/** The platforms that releases are made for. */
export const getPlatforms = defineQuery({
  area: "config",
  name: "get-platforms",
  summary: "List the platforms",
  access: "user",
  input: getPlatformsInput,
  output: listOutput(platformSchema),
  errors: [],
  handler: list,
  asFile: csvOf({
    fileName: "platforms",
    columns: {
      id: (platform) => platform.id,
      name: (platform) => platform.name,
      kind: (platform) => platform.kind,
      status: (platform) => platform.status,
      createdAt: (platform) => platform.createdAt,
    },
    list,
  }),
});
