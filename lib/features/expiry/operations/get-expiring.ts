import "server-only";
import type { z } from "zod";
import { csvOf } from "@/lib/api/csv";
import { defineQuery } from "@/lib/api/operation";
import type { Db } from "@/lib/db/client";
import type { RequestFacts } from "@/lib/http/request-facts";
import type { UserActor } from "@/lib/permissions/actor";
import { pageOfExpiring } from "../data";
import { expiringOutput, getExpiringInput } from "../schema";

interface Context {
  input: z.output<typeof getExpiringInput>;
  db: Db;
  actor: UserActor;
  request: RequestFacts;
}

const list = ({ input, db, actor, request }: Context) => pageOfExpiring(db, actor, input, request.now);

/** Everything that ends, of what the caller may see, with what it takes down; what ends first is first. */
export const getExpiring = defineQuery({
  area: "expiry",
  name: "get-expiring",
  summary: "List what has expired or expires, and what stops working with it",
  access: "user",
  input: getExpiringInput,
  output: expiringOutput,
  errors: [],
  handler: list,
  asFile: csvOf({
    fileName: "expiration-dates",
    columns: {
      kind: (item) => item.kind,
      id: (item) => item.id,
      name: (item) => item.name,
      app: (item) => item.app?.name,
      environment: (item) => item.environment?.name,
      platform: (item) => item.release?.platform,
      version: (item) => item.release?.version,
      buildNumber: (item) => item.release?.buildNumber,
      endsAt: (item) => item.endsAt,
      daysLeft: (item) => item.daysLeft,
      releases: (item) => item.takesDown.releases,
      testers: (item) => item.takesDown.testers,
      pipelines: (item) => item.takesDown.pipelines,
    },
    list,
  }),
});
