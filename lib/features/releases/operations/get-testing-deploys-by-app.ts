import "server-only";
import type { z } from "zod";
import { csvOf } from "@/lib/api/csv";
import { defineQuery } from "@/lib/api/operation";
import type { Db } from "@/lib/db/client";
import { appTarget } from "@/lib/features/apps/data";
import type { Actor } from "@/lib/permissions/actor";
import { keepRenderedNotes, listReleasesOf, readableEnvironments, toRelease } from "../data";
import { RELEASE_COLUMNS } from "../internal/release-csv";
import { releaseReach, scopesByEnvironment } from "../internal/rights";
import { getTestingDeploysByAppInput, releasesOutput } from "../schema";

type Context = {
  input: z.output<typeof getTestingDeploysByAppInput>;
  actor: Actor;
  db: Db;
  after: (work: () => Promise<void>) => void;
};

async function list({ input, actor, db, after }: Context) {
  const readable = await readableEnvironments(db, releaseReach(actor), { appId: input.appId });
  const environmentIds = readable.map(({ id }) => id);
  const { rows, ...page } = await listReleasesOf(db, environmentIds, input);
  after(() => keepRenderedNotes(db, rows));
  return { items: rows.map(toRelease), ...page, environments: scopesByEnvironment(actor, rows) };
}

/** The releases of an application over all environments in which the caller reads them, newest first. */
export const getTestingDeploysByApp = defineQuery({
  area: "apps",
  name: "get-testing-deploys-by-app",
  summary: "List the releases of an application in the environments that the caller reaches, newest first",
  access: "any-scope",
  input: getTestingDeploysByAppInput,
  output: releasesOutput,
  errors: [],
  target: (input, db) => appTarget(db, input.appId),
  handler: list,
  asFile: csvOf({ fileName: "releases", columns: RELEASE_COLUMNS, list }),
});
