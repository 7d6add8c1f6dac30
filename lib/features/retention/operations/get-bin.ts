import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { appTarget } from "@/lib/features/apps/data";
import { environmentTarget } from "@/lib/features/environments/data";
import { readableEnvironments } from "@/lib/features/releases/data/read-places";
import { sightOf } from "@/lib/permissions/visibility";
import { listBin } from "../data/bin";
import { binOutput, getBinInput } from "../schema";

/** The deleted releases of an environment, or of an application where the caller may delete, the last deleted first. */
export const getBin = defineQuery({
  area: "retention",
  name: "get-bin",
  summary: "List the releases in the bin of an environment or application",
  access: "release:delete",
  input: getBinInput,
  output: binOutput,
  errors: [],
  async target({ appId, environmentId }, db) {
    if (environmentId === undefined) return appTarget(db, appId as string);
    const target = await environmentTarget(db, environmentId);
    return appId === undefined || target?.appId === appId ? target : null;
  },
  async handler({ input, actor, target, db, request }) {
    const { appId, environmentId } = target;
    const ids = environmentId
      ? [environmentId]
      : (await readableEnvironments(db, sightOf(actor, "release:delete"), { appId })).map(({ id }) => id);
    return listBin(db, ids, input, request.now);
  },
});
