import "server-only";
import type { ReleaseInstallability, ReleaseInstallNote } from "@/lib/features/releases/rules";
import type { Release } from "@/lib/features/releases/schema";
import { documentReply } from "@/lib/http/document/document";
import type { CompleteReply } from "@/lib/http/reply";
import { formatBytes } from "@/lib/kernel/format-bytes";
import { type Html, html, trustedHtml } from "@/lib/kernel/html";
import { FORMAT_LOCALES, type Locale } from "@/lib/kernel/i18n/locales";
import { type AppTranslator, type LooseTranslator, translatorFor } from "@/lib/kernel/i18n/translator";
import { DAY_MS } from "@/lib/kernel/time";
import { shareLinkUrl } from "../data";
import type { Install } from "./installing";
import { qrCode } from "./qr-code";
import type { Visit } from "./visit";

/** What the address of a page of a link is made of, and in which language it is written. */
export interface PageFacts {
  code: string;
  locale: Locale;
  now: Date;
}

/** The pages depend on the device too. */
export const VARY = { Vary: "Accept-Language, Cookie, User-Agent" };

export function retryHeader(seconds: number | undefined): Record<string, string> {
  return seconds === undefined ? {} : { "Retry-After": String(seconds) };
}

export function footer(t: AppTranslator): Html {
  return html`<footer>${t("sharePage.footer", { product: t("shell.product") })}</footer>`;
}

/** A page that says one thing. */
export function notice(
  { locale }: Pick<PageFacts, "locale">,
  {
    status,
    title,
    text,
    after,
    headers,
  }: { status: number; title: string; text: string; after?: Html; headers?: Record<string, string> },
): CompleteReply {
  const t = translatorFor(locale);
  const body = html`<main class="notice"><h1>${title}</h1><p class="muted">${text}</p>${after}</main>${footer(t)}`;
  return documentReply({ status, locale, title, body, isNotice: true, headers: { ...VARY, ...headers } });
}

/** What is shown instead of a page for an error, in the words of the API. */
export function problemPage(
  facts: Pick<PageFacts, "locale">,
  problem: { status: number; title: string; detail: string; retryAfter?: number | undefined },
): CompleteReply {
  const { status, title, detail, retryAfter } = problem;
  return notice(facts, { status, title, text: detail, headers: retryHeader(retryAfter) });
}

/** Asks for the password of a link. */
export function passwordPage(
  { code, locale }: PageFacts,
  { status, error, retryAfter }: { status: number; error?: string; retryAfter?: number | undefined },
): CompleteReply {
  const t = translatorFor(locale);
  const title = t("sharePage.password.title");
  const wrong = error !== undefined && html`<p class="error" id="error" role="alert">${error}</p>`;
  const mark = error !== undefined && trustedHtml(' aria-invalid="true" aria-describedby="error"');
  const body = html`<main><form class="card" method="post" action="/i/${code}"><h1>${title}</h1><p class="muted">${t("sharePage.password.hint")}</p><label for="password">${t("sharePage.password.label")}</label><input id="password" name="password" type="password" autocomplete="off" maxlength="200" required autofocus${mark}>${wrong}<button class="button">${t("sharePage.password.open")}</button></form></main>${footer(t)}`;
  return documentReply({ status, locale, title, body, headers: { ...VARY, ...retryHeader(retryAfter) } });
}

export function head(t: AppTranslator, locale: Locale, release: Release): Html {
  const { iconUrl, displayName, version, buildNumber, size, deployDate } = release;
  const icon = iconUrl ? html`<img src="${iconUrl}" alt="" width="72" height="72">` : html`<div class="noicon"></div>`;
  const format = FORMAT_LOCALES[locale];
  const date = new Intl.DateTimeFormat(format, { dateStyle: "medium", timeZone: "UTC" }).format(new Date(deployDate));
  return html`<div class="head">${icon}<div><h1>${displayName}</h1><p>${t("sharePage.version", { version, build: buildNumber })}</p><p class="muted small">${formatBytes(size, format)} · ${date}</p></div></div>`;
}

function noteText(t: AppTranslator, note: ReleaseInstallNote, now: Date): string {
  const loose = t as unknown as LooseTranslator;
  if (note.kind === "registered-devices") return t("install.registered", { count: note.count });
  if (note.kind === "ends-soon") {
    const days = Math.floor((Date.parse(note.at) - now.getTime()) / DAY_MS);
    return t("install.notes.ends-soon", { days });
  }
  return loose(`install.notes.${note.kind}`);
}

function notesList(t: AppTranslator, notes: readonly ReleaseInstallNote[], now: Date): Html | null {
  if (notes.length === 0) return null;
  return html`<ul class="muted small">${notes.map((note) => html`<li>${noteText(t, note, now)}</li>`)}</ul>`;
}

/** The one button of the page: it counts an installation, and then starts it. */
function installForm(code: string, label: string, quiet = false): Html {
  return html`<form method="post" action="/i/${code}/install"><button class="button${quiet && " quiet"}">${label}</button></form>`;
}

/** The way to the form for feedback on a release. */
function feedbackLink(t: AppTranslator, code: string, { version, buildNumber }: Release): Html {
  const tried = new URLSearchParams({ version, buildNumber });
  return html`<p class="scan"><a href="/i/${code}/feedback?${tried.toString()}">${t("sharePage.feedback.give")}</a></p>`;
}

/** Refusals for which a visitor can do something other than ask the sender. */
const OWN_STEPS = ["android-only", "ios-only", "ipad-only", "needs-https", "old-system"];

function refusal(t: AppTranslator, reason: string, code: string, uncertain: boolean): Html {
  const loose = t as unknown as LooseTranslator;
  const step = OWN_STEPS.includes(reason) ? loose(`sharePage.steps.${reason}`) : t("sharePage.steps.ask");
  return html`<section class="card warn"><h2>${loose(`install.refused.${reason}.title`)}</h2><p>${step}</p>${uncertain && installForm(code, t("install.anyway"), true)}</section>`;
}

/** What a computer shows: the code for a phone, and the file unless the link is for phones. */
async function forComputer({
  t,
  code,
  on,
  onlyPhones,
}: {
  t: AppTranslator;
  code: string;
  on: "ios" | "android" | null;
  onlyPhones: boolean;
}): Promise<Html> {
  const hint = on === null ? t("sharePage.scan") : t(`install.scan.${on}`);
  const drawn = await qrCode(shareLinkUrl(code));
  return html`<section class="card"><div class="qr" role="img" aria-label="${t("sharePage.qr")}">${drawn}</div><p class="muted scan">${onlyPhones ? t("sharePage.onlyPhones") : hint}</p>${!onlyPhones && installForm(code, t("install.download"), true)}</section>`;
}

async function installation(
  t: AppTranslator,
  visit: Visit,
  verdict: ReleaseInstallability,
  { code, now }: PageFacts,
): Promise<Html> {
  const { link, device } = visit;
  if (device.os === "desktop") {
    const refused = verdict.verdict === "refused" && refusal(t, verdict.reason, code, false);
    const on = verdict.verdict === "other-device" ? verdict.on : null;
    const notes = verdict.verdict === "refused" ? null : notesList(t, verdict.notes, now);
    return html`${refused}${await forComputer({ t, code, on, onlyPhones: link.onlyPhones })}${notes}`;
  }
  if (verdict.verdict === "refused") return refusal(t, verdict.reason, code, verdict.uncertain);
  const isLimited = verdict.notes.some(({ kind }) => kind === "registered-devices");
  return html`<section class="card">${!isLimited && html`<p class="ok">${t("install.ready")}</p>`}${installForm(code, t("install.action"))}${notesList(t, verdict.notes, now)}</section>`;
}

/** The page of a link: what it opens, and how it installs on this device. */
export async function linkPage(
  visit: Visit,
  verdict: ReleaseInstallability | null,
  facts: PageFacts,
): Promise<CompleteReply> {
  const { locale } = facts;
  const { link, release } = visit;
  const t = translatorFor(locale);
  if (release === null || verdict === null) {
    return notice(facts, { status: 200, title: t("sharePage.nothing.title"), text: t("sharePage.nothing.text") });
  }
  const notes =
    link.showNotes &&
    release.descriptionHtml !== "" &&
    html`<section class="card notes"><h2>${t("sharePage.notes")}</h2>${trustedHtml(release.descriptionHtml)}</section>`;
  const body = html`<main>${head(t, locale, release)}${await installation(t, visit, verdict, facts)}${notes}${feedbackLink(t, facts.code, release)}</main>${footer(t)}`;
  return documentReply({ status: 200, locale, title: release.displayName, icon: release.iconUrl, body, headers: VARY });
}

/** What follows the button: the browser goes on to the installation, and the page says what comes next. */
export function startedPage(
  release: Release,
  { url, way }: Pick<Install, "url" | "way">,
  { code, locale }: PageFacts,
): CompleteReply {
  const t = translatorFor(locale);
  const name = release.displayName;
  const isApk = release.installer.kind === "apk";
  const next =
    way === "itms-services"
      ? t("install.next.ios", { name })
      : isApk
        ? t("install.next.apk", { name })
        : t("sharePage.started.file");
  const isEnterprise = release.installer.kind === "ipa" && release.installer.profileType === "enterprise";
  const steps =
    way === "itms-services" &&
    isEnterprise &&
    html`<ol><li>${t("install.trust.settings")}</li><li>${t("install.trust.developer")}</li><li>${t("install.trust.open")}</li></ol>`;
  const title = t(way === "itms-services" ? "sharePage.started.ios" : "sharePage.started.download");
  const body = html`<main>${head(t, locale, release)}<section class="card"><h2>${title}</h2><p role="status">${next}</p>${steps}<a class="button quiet" href="${url}">${t("sharePage.started.again")}</a></section>${feedbackLink(t, code, release)}</main>${footer(t)}`;
  return documentReply({
    status: 200,
    locale,
    title: name,
    icon: release.iconUrl,
    continueTo: url,
    body,
    headers: VARY,
  });
}
