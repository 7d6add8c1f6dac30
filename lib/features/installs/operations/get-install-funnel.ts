import "server-only";
import type { z } from "zod";
import { csvOf } from "@/lib/api/csv";
import { defineQuery } from "@/lib/api/operation";
import type { Db } from "@/lib/db/client";
import { targetOfPlace } from "@/lib/features/releases/data/targets";
import type { RequestFacts } from "@/lib/http/request-facts";
import type { Actor } from "@/lib/permissions/actor";
import { flushVisits } from "@/lib/visits/record";
import { type FunnelRow, listCounts, readFunnel } from "../data";
import { getInstallFunnelInput, installFunnelSchema } from "../schema";

type Input = z.output<typeof getInstallFunnelInput>;
type Context = { input: Input; db: Db; actor: Actor };

const COLUMNS = {
  day: ({ day }: FunnelRow) => day,
  os: ({ os }: FunnelRow) => os,
  version: ({ version }: FunnelRow) => version,
  device: ({ device }: FunnelRow) => device,
  opened: ({ opened }: FunnelRow) => opened,
  tapped: ({ tapped }: FunnelRow) => tapped,
  manifest: ({ manifest }: FunnelRow) => manifest,
  begun: ({ begun }: FunnelRow) => begun,
  complete: ({ complete }: FunnelRow) => complete,
  icons: ({ icons }: FunnelRow) => icons,
};

const csv = csvOf({
  fileName: "installations",
  columns: COLUMNS,
  list: ({ db, input, actor }: Context & { input: { limit: number; cursor?: string } }) => listCounts(db, input, actor),
});

/**
 * How far people came who wanted to install a release: how many opened it, tapped the button, fetched the manifest and the package,
 * and where the others stopped, with the reasons that the verdict gave on their devices.
 */
export const getInstallFunnel = defineQuery({
  area: "installs",
  name: "get-install-funnel",
  summary: "Get how far the installations of a release, an environment or an application get",
  access: "release:read",
  input: getInstallFunnelInput,
  output: installFunnelSchema,
  errors: [],
  target: (input, db) => targetOfPlace(db, input),
  async handler({ input, actor, target, db }) {
    // What this instance has not written yet belongs to the answer.
    await flushVisits();
    return readFunnel(db, input, { actor, target });
  },
  asFile: {
    contentTypes: csv.contentTypes,
    reply: ({ input, ...context }: Context & { request: RequestFacts }) =>
      csv.reply({ ...context, input: { ...input, limit: 1 } }),
  },
});
