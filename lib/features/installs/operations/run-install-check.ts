import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { releaseTarget } from "@/lib/features/releases/data/releases";
import { findCheckable, keepCheck } from "@/lib/install-check/data";
import { checkInstallation } from "@/lib/install-check/run";
import { findsNoFailure } from "@/lib/kernel/install-check-codes";
import { aside } from "@/lib/kernel/turns";
import { newestReadableTarget } from "../data";
import { checkInWords } from "../internal/check-words";
import { installCheckSchema, runInstallCheckInput } from "../schema";

/**
 * Checks whether phones can install a release from this console: goes their way from `APP_URL`, without a session, and says what would
 * stop them. The result is kept with the release.
 */
export const runInstallCheck = defineCommand({
  area: "installs",
  name: "run-install-check",
  summary: "Check whether phones can install from this console, with the same requests as theirs",
  access: "release:read",
  rateLimit: { points: 20, seconds: 600, by: "actor" },
  input: runInstallCheckInput,
  output: installCheckSchema,
  status: 200,
  errors: [],
  audit: { table: "Release", action: "check-install" },
  target: (input, db, actor) => (input.id ? releaseTarget(db, input.id) : newestReadableTarget(db, actor)),
  async prepare({ target: { release }, db, request }) {
    const checkable = await findCheckable(db, release.id);
    return aside(() => checkInstallation(checkable ? [checkable] : [], { signal: request.signal }));
  },
  async handler({ target: { release }, tx, prepared: findings, request }) {
    const check = { ranAt: request.now, findings };
    await keepCheck(tx, release.id, check);
    const failed = findings.filter(({ result }) => result === "failure").map(({ code }) => code);
    return {
      output: checkInWords(check, request.locale),
      audit: {
        recordId: release.id,
        changes: { ok: [null, findsNoFailure(findings)], ...(failed.length > 0 && { failed: [null, failed] }) },
      },
    };
  },
});
