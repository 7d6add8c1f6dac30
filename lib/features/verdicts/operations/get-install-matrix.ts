import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { releaseTarget } from "@/lib/features/releases/data/releases";
import { installMatrix } from "../data";
import { getInstallMatrixInput, installMatrixSchema } from "../schema";

/**
 * How a release installs on the devices that the people of its environment have: enrolled ones of those to whom releases were
 * distributed or who downloaded them, and the systems with which others opened a release there.
 */
export const getInstallMatrix = defineQuery({
  area: "installs",
  name: "get-install-matrix",
  summary: "Get on which of the testers’ devices a release installs",
  access: "release:read",
  input: getInstallMatrixInput,
  output: installMatrixSchema,
  errors: [],
  target: (input, db) => releaseTarget(db, input.id),
  handler: ({ target, db, request }) => installMatrix(db, target.release, request.now),
});
