import "server-only";
import type { z } from "zod";
import { csvOf } from "@/lib/api/csv";
import { defineQuery } from "@/lib/api/operation";
import type { Db } from "@/lib/db/client";
import { environmentPlace } from "@/lib/features/environments/data";
import type { Actor } from "@/lib/permissions/actor";
import { keepRenderedNotes, listReleases, toRelease } from "../data";
import { RELEASE_COLUMNS } from "../internal/release-csv";
import { scopesByEnvironment } from "../internal/rights";
import { getTestingDeploysInput, releasesOutput } from "../schema";

type Context = {
  input: z.output<typeof getTestingDeploysInput>;
  actor: Actor;
  db: Db;
  after: (work: () => Promise<void>) => void;
};

async function list({ input, actor, db, after }: Context) {
  const { rows, ...page } = await listReleases(db, input);
  after(() => keepRenderedNotes(db, rows));
  return { items: rows.map(toRelease), ...page, environments: scopesByEnvironment(actor, rows) };
}

/** The releases of an environment, newest first. */
export const getTestingDeploys = defineQuery({
  area: "apps",
  name: "get-testing-deploys",
  summary: "List the releases of an environment, newest first",
  access: "release:read",
  input: getTestingDeploysInput,
  output: releasesOutput,
  errors: [],
  target: (input, db, actor) => environmentPlace(db, actor, input.environmentId),
  handler: list,
  asFile: csvOf({ fileName: "releases", columns: RELEASE_COLUMNS, list }),
});
