import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { environmentsWithin } from "@/lib/features/releases/data/read-places";
import { targetOfPlace } from "@/lib/features/releases/data/targets";
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
  target: (input, db) => targetOfPlace(db, input),
  async handler({ input, actor, target, db, request }) {
    return listBin(db, await environmentsWithin(db, actor, target, "release:delete"), input, request.now);
  },
});
