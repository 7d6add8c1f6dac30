import "server-only";
import type { z } from "zod";
import { issueTokenIf, peekToken } from "@/lib/auth/one-time-tokens";
import { db } from "@/lib/db/client";
import { ApiError } from "@/lib/kernel/errors";
import {
  INSTALL_PURPOSES,
  type InstallWay,
  installStartUrl,
  installWayOf,
} from "@/lib/kernel/navigation/installer-urls";
import { browserDevice } from "@/lib/visits/device";
import { recordStep } from "@/lib/visits/record";
import { encodeVisitor, type Visitor } from "@/lib/visits/visitor";
import { countedInstall, type LinkWithReleases } from "../data";
import type { shareLinkInstallSchema } from "../schema";
import type { Visit } from "./visit";

export type Install = z.output<typeof shareLinkInstallSchema>;

/**
 * Counts an installation of a visitor and issues the token that it needs, by one statement. Ranges, retries and the files of iOS belong to the token, so that they
 * count once.
 * @throws ApiError link_ended, ios_disabled, forbidden on a computer if the link is for phones
 */
export async function beginInstall(
  { link, release, device }: Visit,
  { way, visitor, now }: { way?: InstallWay | undefined; visitor: Visitor; now: Date },
): Promise<Install & { token: string }> {
  if (!release) throw new ApiError("not_found", { detailKey: "detailLink" });
  if (link.onlyPhones && device.os === "desktop") throw new ApiError("forbidden", { detailKey: "detailPhones" });
  const isIpa = release.installer.kind === "ipa";
  const isApple = device.os === "ios" || device.os === "ipados";
  const chosen = way ?? (isIpa && isApple ? "itms-services" : "download");
  if (chosen === "itms-services" && !(isIpa && release.iosEnabled)) throw new ApiError("ios_disabled");
  const issued = await issueTokenIf(
    db,
    { purpose: INSTALL_PURPOSES[chosen], subject: release.id, visitor: encodeVisitor(visitor), now },
    countedInstall(link.id, now),
  );
  if (!issued) throw new ApiError("link_ended");
  const { token, expiresAt } = issued;
  const hasManifest = chosen === "itms-services";
  const tap = { releaseId: release.id, visitor, at: now, device: browserDevice(device, visitor) };
  recordStep({ ...tap, step: "tapped", hasManifest });
  return { token, url: installStartUrl(chosen, token), way: chosen, expiresAt: expiresAt.toISOString() };
}

/** The installation that a visitor has begun with a token; null if it belongs to no release of the link, or has expired. */
export async function begunInstall(
  { releases }: LinkWithReleases,
  token: string,
  now: Date,
): Promise<{ url: string; way: InstallWay; releaseId: string } | null> {
  const found = await peekToken(db, { purpose: Object.values(INSTALL_PURPOSES), token, now });
  if (found?.state !== "valid" || !releases.some(({ id }) => id === found.subject)) return null;
  const way = installWayOf(found.purpose);
  return { url: installStartUrl(way, token), way, releaseId: found.subject };
}
