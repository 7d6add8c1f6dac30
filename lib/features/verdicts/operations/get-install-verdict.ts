import "server-only";
import { installVerdict, reasonWords, reportedVersion } from "@slipway/installers";
import { defineQuery } from "@/lib/api/operation";
import type { Db } from "@/lib/db/client";
import { toRelease } from "@/lib/features/releases/data/answers";
import { readInstallFacts } from "@/lib/features/releases/data/install-facts";
import { releaseTarget } from "@/lib/features/releases/data/releases";
import type { ReleaseRow } from "@/lib/features/releases/data/rows";
import { releaseInstallFacts } from "@/lib/features/releases/rules";
import { releaseOfLink } from "@/lib/features/share-links/data";
import type { RequestFacts } from "@/lib/http/request-facts";
import { ApiError } from "@/lib/kernel/errors";
import { translatorFor } from "@/lib/kernel/i18n/translator";
import type { Actor } from "@/lib/permissions/actor";
import { scopesFor } from "@/lib/permissions/authorize";
import { judgedDevice } from "../internal/device";
import { getInstallVerdictInput, installVerdictSchema } from "../schema";

/**
 * The release that the caller may read, and whether they may download it.
 * @throws ApiError not_authenticated, not_found; those of a link
 */
async function readableRelease(
  db: Db,
  { id, share }: { id: string; share?: string },
  { actor, request }: { actor: Actor; request: RequestFacts },
): Promise<{ release: ReleaseRow; mayDownload: boolean }> {
  if (share !== undefined) return { release: await releaseOfLink(share, id, request), mayDownload: true };
  if (actor.kind === "anonymous") throw new ApiError("not_authenticated");
  const target = await releaseTarget(db, id);
  const scopes = target ? scopesFor(actor, target) : [];
  if (!target || !scopes.includes("release:read")) throw new ApiError("not_found");
  return { release: target.release, mayDownload: scopes.includes("release:download") };
}

/** Whether a release installs on a device, why not, and what is to be done, in the caller's language. */
export const getInstallVerdict = defineQuery({
  area: "installs",
  name: "get-install-verdict",
  summary: "Get whether a release installs on a device, why not, and what is to be done",
  // Visitors of a share link have no account; without its code, the handler requires the right to read the release.
  access: "public",
  forGroups: true,
  rateLimit: { points: 600, seconds: 60, by: "address" },
  input: getInstallVerdictInput,
  output: installVerdictSchema,
  errors: ["not_authenticated", "not_found", "link_ended", "password_required"],
  async handler({ input, actor, request, db }) {
    const { release, mayDownload } = await readableRelease(db, input, { actor, request });
    const { stored, ...known } = await readInstallFacts(release, actor, db);
    const device = await judgedDevice(db, input, { actor, request, stored });
    const facts = releaseInstallFacts(toRelease(release));
    const { now, locale } = request;
    const { iosEnabled, https, universalApk } = facts;
    const console = { ...known, mayDownload, iosEnabled, https, universalApk };
    const { verdict, way, reasons } = installVerdict(facts, device, { now, console });
    const t = translatorFor(locale);
    const { os, model, browser, abis } = device;
    const osVersion = input.deviceId === undefined ? reportedVersion(device) : device.osVersion;
    return {
      verdict,
      way,
      reasons: reasons.map((reason) => ({ ...reason, ...reasonWords(t, reason, facts.kind, now) })),
      device: { os, osVersion, model, browser, abis: [...abis], deviceId: input.deviceId ?? null },
    };
  },
});
