import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { readOpenings } from "../data/openings";
import { releaseTarget } from "../data/releases";
import { releaseIdInput, releaseOpeningsOutput } from "../schema";

/**
 * When the page of a release was last opened, on each kind of device. It does not tell who opened it, only whether the person can
 * publish there.
 */
export const getTestingDeployOpenings = defineQuery({
  area: "apps",
  name: "get-testing-deploy-openings",
  summary: "Get when the page of a release was last opened, on each kind of device",
  access: "release:read",
  forGroups: true,
  input: releaseIdInput,
  output: releaseOpeningsOutput,
  errors: [],
  target: (input, db) => releaseTarget(db, input.id),
  async handler({ target, db }) {
    return { items: await readOpenings(db, target.release.id) };
  },
});
