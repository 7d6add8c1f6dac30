import "server-only";
import type { DeviceFacts } from "@slipway/installers";
import type { ReleaseVerdict } from "@/lib/features/releases/rules";
import type { Release } from "@/lib/features/releases/schema";
import { documentReply } from "@/lib/http/document/document";
import { qrCode } from "@/lib/http/document/qr-code";
import type { CompleteReply } from "@/lib/http/reply";
import { type Html, html, trustedHtml } from "@/lib/kernel/html";
import { type AppTranslator, translatorFor } from "@/lib/kernel/i18n/translator";
import { shareLinkUrl } from "../data";
import {
  installationCard,
  releaseHead,
  releaseHeaders,
  releaseNotesCard,
  retryHeader,
  startedInstallation,
  VISITOR_VARY,
  type VisitorPage,
  visitorFooter,
  visitorNotice,
} from "../rules";
import type { Install } from "./installing";
import type { Visit } from "./visit";

/** What the address of a page of a link is made of, and in which language it is written. */
export interface PageFacts extends VisitorPage {
  code: string;
  now: Date;
}

/** Asks for the password of a link. */
export function passwordPage(
  page: PageFacts,
  { status, error, retryAfter }: { status: number; error?: string; retryAfter?: number | undefined },
): CompleteReply {
  const { code, locale } = page;
  const t = translatorFor(locale);
  const title = t("sharePage.password.title");
  const wrong = error !== undefined && html`<p class="error" id="error" role="alert">${error}</p>`;
  const mark = error !== undefined && trustedHtml(' aria-invalid="true" aria-describedby="error"');
  const body = html`<main><form class="card" method="post" action="/i/${code}"><h1>${title}</h1><p class="muted">${t("sharePage.password.hint")}</p><label for="password">${t("sharePage.password.label")}</label><input id="password" name="password" type="password" autocomplete="off" maxlength="200" required autofocus${mark}>${wrong}<button class="button">${t("sharePage.password.open")}</button></form></main>${visitorFooter(t, page)}`;
  return documentReply({ status, locale, title, body, headers: { ...VISITOR_VARY, ...retryHeader(retryAfter) } });
}

/** The way to the form for feedback on a release. */
function feedbackLink(t: AppTranslator, code: string, { version, buildNumber }: Release): Html {
  const tried = new URLSearchParams({ version, buildNumber });
  return html`<p class="scan"><a href="/i/${code}/feedback?${tried.toString()}">${t("sharePage.feedback.give")}</a></p>`;
}

/**
 * The page of a link: what it opens, and how it installs on this device.
 * @param facts.visitId the number of the visit, which the button sends
 * @param facts.mayBeIpad whether the browser may be that of an iPad on which the link installs something
 */
export async function linkPage(
  { link, release, device, onPhones }: Visit,
  verdict: ReleaseVerdict | null,
  page: PageFacts & { visitId?: string; mayBeIpad: boolean },
): Promise<CompleteReply> {
  const { code, locale, now, visitId, mayBeIpad } = page;
  const t = translatorFor(locale);
  if (release === null || verdict === null) {
    return visitorNotice(page, {
      status: 200,
      title: t("sharePage.nothing.title"),
      text: t("sharePage.nothing.text"),
    });
  }
  const { onlyPhones } = link;
  const url = shareLinkUrl(code);
  const qr = device.os === "desktop" ? await qrCode(url) : html``;
  const action = `/i/${code}/install${visitId ? `?visit=${visitId}` : ""}`;
  const card = installationCard(t, { release, verdict, device, url, action, mayBeIpad, qr, onlyPhones, onPhones, now });
  const notes = link.showNotes && releaseNotesCard(t, release);
  const body = html`<main>${releaseHead(t, locale, release)}${card}${notes}${feedbackLink(t, code, release)}</main>${visitorFooter(t, page)}`;
  const icon = release.iconUrl;
  return documentReply({
    status: 200,
    locale,
    title: release.displayName,
    icon,
    body,
    headers: releaseHeaders(device, verdict),
  });
}

/** What follows the button, with the way to give feedback. */
export function startedPage(
  release: Release,
  begun: Pick<Install, "url" | "way">,
  page: PageFacts & { device: DeviceFacts },
): CompleteReply {
  const { code, locale, device, now } = page;
  const after = feedbackLink(translatorFor(locale), code, release);
  return startedInstallation(release, begun, page, { device, now, after });
}
