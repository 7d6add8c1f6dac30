import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { releaseTarget } from "@/lib/features/releases/data/releases";
import { lastCheck } from "@/lib/install-check/data";
import { checkInWords } from "../internal/check-words";
import { getInstallCheckInput, lastInstallCheckSchema } from "../schema";

/** The last check of the way on which phones install a release. The console makes one after each publication of an .ipa. */
export const getInstallCheck = defineQuery({
  area: "installs",
  name: "get-install-check",
  summary: "Get the last check whether phones can install a release",
  access: "release:read",
  input: getInstallCheckInput,
  output: lastInstallCheckSchema,
  errors: [],
  target: (input, db) => releaseTarget(db, input.id),
  async handler({ target: { release }, db, request }) {
    const check = await lastCheck(db, release.id);
    return { check: check && checkInWords(check, request.locale) };
  },
});
