import "server-only";
import type { z } from "zod";
import { csvOf } from "@/lib/api/csv";
import { defineQuery } from "@/lib/api/operation";
import type { Db } from "@/lib/db/client";
import { targetOfPlace } from "@/lib/features/releases/data/targets";
import { flushVisits } from "@/lib/visits/record";
import { listPeople } from "../data";
import { getReleasePeopleInput, type ReleasePerson, releasePeopleOutput } from "../schema";

type Context = { input: z.output<typeof getReleasePeopleInput>; db: Db };

const COLUMNS = {
  name: ({ user }: ReleasePerson) => user.name,
  email: ({ user }: ReleasePerson) => user.email,
  version: ({ release }: ReleasePerson) => release.version,
  buildNumber: ({ release }: ReleasePerson) => release.buildNumber,
  step: ({ step }: ReleasePerson) => step,
  complete: ({ complete }: ReleasePerson) => complete,
  codes: ({ codes }: ReleasePerson) => codes,
  os: ({ os }: ReleasePerson) => os,
  osVersion: ({ osVersion }: ReleasePerson) => osVersion,
  model: ({ model, modelName }: ReleasePerson) => modelName ?? model,
  openedAt: ({ openedAt }: ReleasePerson) => openedAt,
  completeAt: ({ completeAt }: ReleasePerson) => completeAt,
  lastAt: ({ lastAt }: ReleasePerson) => lastAt,
};

/**
 * Who downloaded a release or the releases of an environment completely, who stopped where on the way, and the reasons that the
 * verdict gave on their devices. Only users are named; visitors without an account are in the counts of `get-install-funnel`.
 */
export const getReleasePeople = defineQuery({
  area: "installs",
  name: "get-release-people",
  summary: "List who downloaded a release completely, and who stopped on the way and where",
  access: "release:update",
  input: getReleasePeopleInput,
  output: releasePeopleOutput,
  errors: [],
  target: (input, db) => targetOfPlace(db, input),
  async handler({ input, db }) {
    await flushVisits();
    return listPeople(db, input);
  },
  asFile: csvOf({ fileName: "people", columns: COLUMNS, list: ({ db, input }: Context) => listPeople(db, input) }),
});
