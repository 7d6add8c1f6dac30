import {
  DEVICE_HINTS,
  type DeviceFacts,
  DRAWING_SIZE,
  drawingOf,
  drawingShapes,
  type InstallerKind,
  type Reason,
  reasonWords,
} from "@slipway/installers";
import { MAX_FEEDBACK_TEXT, MAX_RATING, SCREENSHOT_TYPES } from "@/lib/features/feedback/schema";
import {
  hasDeviceFile,
  notesForTesters,
  platformKindOf,
  type ReleaseVerdict,
  reasonKey,
  releaseInstallFacts,
  releaseVerdict,
} from "@/lib/features/releases/rules";
import type { Release } from "@/lib/features/releases/schema";
import { preferenceCookie } from "@/lib/http/cookies";
import { documentReply } from "@/lib/http/document/document";
import { problemOf } from "@/lib/http/problem";
import { type CompleteReply, seeOther } from "@/lib/http/reply";
import type { ApiError, ErrorCode } from "@/lib/kernel/errors";
import { formatBytes } from "@/lib/kernel/format-bytes";
import { type Html, html, trustedHtml } from "@/lib/kernel/html";
import { FORMAT_LOCALES, isLocale, LOCALE_COOKIE, LOCALE_NAMES, LOCALES, type Locale } from "@/lib/kernel/i18n/locales";
import { type AppTranslator, translatorFor } from "@/lib/kernel/i18n/translator";
import type { InstallWay } from "@/lib/kernel/navigation/installer-urls";
import { PAGES } from "@/lib/kernel/navigation/pages";
import type { LinkEnd } from "./schema";

/** What decides whether a link still opens. */
export interface LinkState {
  expiresAt: Date | null;
  maxInstalls: number | null;
  installCount: number;
  followsLatest: boolean;
  releaseId: string | null;
  /** Whether its application and environment are switched on. */
  active: boolean;
}

/** Why a link no longer opens; null while it does. */
export function linkEnd(link: LinkState, now: Date): LinkEnd | null {
  if (!link.followsLatest && link.releaseId === null) return "release-deleted";
  if (link.expiresAt !== null && link.expiresAt <= now) return "expired";
  if (link.maxInstalls !== null && link.installCount >= link.maxInstalls) return "used-up";
  return link.active ? null : "inactive";
}

/** Whether feedback is taken by a link: as long as it opens, and from those who have used up its installations. */
export function takesFeedback(link: LinkState, now: Date): boolean {
  return linkEnd({ ...link, maxInstalls: null }, now) === null;
}

/** Programs that read a page for a preview or an index, by a part of their User-Agent. */
const READERS =
  /bot\b|crawl|spider|preview|facebookexternalhit|WhatsApp|Slackbot|TelegramBot|Twitterbot|LinkedInBot|Discordbot|SkypeUriPreview/i;

/** Whether a request for a page is a person's: no preview, and nothing that a browser loads in advance. */
export function isOpenedByPerson({ method, headers }: { method: string; headers: Headers }): boolean {
  const purpose = headers.get("sec-purpose") ?? headers.get("purpose") ?? "";
  return method === "GET" && !/prefetch|preview/i.test(purpose) && !READERS.test(headers.get("user-agent") ?? "");
}

const HINTS = DEVICE_HINTS.join(", ");

/** The pages of visitors depend on the device too. */
export const VISITOR_VARY = { Vary: `Accept-Language, Cookie, User-Agent, ${HINTS}` };

/** Whether the page of a release asks the browser for client hints, because they may tell what decides and is not known. */
export function asksForHints({ os }: DeviceFacts, verdict: Pick<ReleaseVerdict, "verdict"> | null): boolean {
  return os === "android" && verdict?.verdict === "unknown";
}

/** The headers of the page of a release. A browser that has the hints, and did not send them, asks once more with them (RFC 8942). */
export function releaseHeaders(device: DeviceFacts, verdict: ReleaseVerdict): Record<string, string> {
  const hints = asksForHints(device, verdict) && { "Accept-CH": HINTS, "Critical-CH": HINTS };
  return { ...VISITOR_VARY, ...hints };
}

/** What every page of visitors depends on. */
export interface VisitorPage {
  locale: Locale;
  /** Its path, and its query. */
  address: string;
  /** The name of the console, which only a page that shows something of it names. */
  operator?: string;
}

const LANGUAGE_PARAMETER = "language";
const YEAR_SECONDS = 31_536_000;

/** The page of a request. @param address where it is if that is not the address of the request */
export function visitorPage({ url }: { url: string }, locale: Locale, address?: string): VisitorPage {
  const { pathname, search } = new URL(url);
  return { locale, address: address ?? `${pathname}${search}` };
}

/** Keeps the language that a visitor chose below a page, and goes on to the page in it; null for other requests. */
export function chosenLanguage({ url, method }: { url: string; method: string }): CompleteReply | null {
  const { pathname, searchParams } = new URL(url);
  const chosen = searchParams.get(LANGUAGE_PARAMETER);
  if (method !== "GET" || !isLocale(chosen)) return null;
  searchParams.delete(LANGUAGE_PARAMETER);
  const query = searchParams.toString();
  const lifetime = `Max-Age=${YEAR_SECONDS}`;
  return seeOther(`${pathname}${query && `?${query}`}`, preferenceCookie(LOCALE_COOKIE, chosen, { lifetime }));
}

function languageLinks({ locale, address }: VisitorPage): Html[] {
  const [path = "", query = ""] = address.split("?", 2);
  return LOCALES.map((one) => {
    if (one === locale) return html`<b lang="${one}" aria-current="true">${LOCALE_NAMES[one]}</b> `;
    const parameters = new URLSearchParams(query);
    parameters.set(LANGUAGE_PARAMETER, one);
    return html`<a href="${path}?${parameters.toString()}" lang="${one}" hreflang="${one}">${LOCALE_NAMES[one]}</a> `;
  });
}

/** What is below every page of visitors: whose console it is, the way to the documentation for testers, and the languages. */
export function visitorFooter(t: AppTranslator, page: VisitorPage): Html {
  const product = t("shell.product");
  const { operator } = page;
  const shared =
    operator && operator !== product
      ? t("sharePage.footerOf", { name: operator, product })
      : t("sharePage.footer", { product });
  const help = html`<a href="${PAGES.docs}/testers">${t("sharePage.help")}</a>`;
  return html`<footer><p><span>${shared}</span> ${help}</p><nav aria-label="${t("sharePage.languages")}">${languageLinks(page)}</nav></footer>`;
}

/** A page for visitors that says one thing. */
export function visitorNotice(
  page: VisitorPage,
  {
    status,
    title,
    text,
    after,
    headers,
  }: { status: number; title: string; text: string; after?: Html; headers?: Record<string, string> },
): CompleteReply {
  const { locale } = page;
  const body = html`<main class="notice"><h1>${title}</h1><p class="muted">${text}</p>${after}</main>${visitorFooter(translatorFor(locale), page)}`;
  return documentReply({ status, locale, title, body, isNotice: true, headers: { ...VISITOR_VARY, ...headers } });
}

/** When a visitor who has called too often may try again. */
export function retryHeader(seconds: number | undefined): Record<string, string> {
  return seconds === undefined ? {} : { "Retry-After": String(seconds) };
}

/** What is shown to a visitor instead of a page for an error, in the words of the API. */
export function visitorProblem(
  page: VisitorPage,
  {
    status,
    title,
    detail,
    retryAfter,
  }: { status: number; title: string; detail: string; retryAfter?: number | undefined },
): CompleteReply {
  return visitorNotice(page, { status, title, text: detail, headers: retryHeader(retryAfter) });
}

/** Formatters of days, which take longer to make than the rest of a page. */
const dayFormats = new Map<Locale, Intl.DateTimeFormat>();

function formatDay(day: Date, locale: Locale): string {
  let format = dayFormats.get(locale);
  if (!format) {
    format = new Intl.DateTimeFormat(FORMAT_LOCALES[locale], { dateStyle: "medium", timeZone: "UTC" });
    dayFormats.set(locale, format);
  }
  return format.format(day);
}

/** The head of the page of a release, or of its card in a list, which has a smaller heading. */
export function releaseHead(t: AppTranslator, locale: Locale, release: Release, heading: "h1" | "h3" = "h1"): Html {
  const { iconUrl, displayName, version, buildNumber, platform, size, deployDate } = release;
  const icon = iconUrl ? html`<img src="${iconUrl}" alt="" width="72" height="72">` : html`<div class="noicon"></div>`;
  const title = heading === "h1" ? html`<h1>${displayName}</h1>` : html`<h3>${displayName}</h3>`;
  const date = formatDay(new Date(deployDate), locale);
  return html`<div class="head">${icon}<div>${title}<p>${t("sharePage.version", { version, build: buildNumber })}</p><p class="muted small">${platform.name} · ${formatBytes(size, FORMAT_LOCALES[locale])} · ${date}</p></div></div>`;
}

/** The release notes as a card; null if there are none. */
export function releaseNotesCard(t: AppTranslator, { descriptionHtml }: Release): Html | null {
  if (descriptionHtml === "") return null;
  return html`<section class="card notes"><h2>${t("sharePage.notes")}</h2>${trustedHtml(descriptionHtml)}</section>`;
}

/** The drawing of the system's screen on which a step is done. */
function drawingFor(t: AppTranslator, reason: Reason): Html | null {
  const name = drawingOf(reason);
  if (name === null) return null;
  const { width, height } = DRAWING_SIZE;
  return html`<svg class="drawing" viewBox="0 0 ${width} ${height}" role="img" aria-label="${t(`install.drawings.${name}`)}">${trustedHtml(drawingShapes(name))}</svg>`;
}

function notesList(t: AppTranslator, shown: readonly Reason[], kind: InstallerKind, now: Date): Html | null {
  if (shown.length === 0) return null;
  const item = (note: Reason) => {
    const { title, detail, steps } = reasonWords(t, note, kind, now);
    const text =
      note.code === "device_not_enrolled" ? t("install.registered", { count: Number(note.params.count) }) : detail;
    const drawing = drawingFor(t, note);
    const list = steps.length > 1 ? html`<ol>${steps.map((step) => html`<li>${step}</li>`)}</ol>` : steps[0];
    const link =
      note.code === "chain_not_trusted" && html`<br><a href="${PAGES.trust}">${t("install.trustConsole")}</a>`;
    return html`<li><b>${title}</b><br>${text}${" "}${note.code === "device_not_enrolled" ? null : list}${link}${drawing}</li>`;
  };
  return html`<ul class="muted small">${shown.map(item)}</ul>`;
}

/** The one button of a page: it posts to where the installation is begun, which starts it. */
function installForm(action: string, label: string, quiet = false): Html {
  return html`<form method="post" action="${action}"><button class="button${quiet && " quiet"}">${label}</button></form>`;
}

/** The parameter of an address by which somebody says that a browser is that of an iPad, and its value. */
const IPAD_PARAMETER = ["device", "ipad"] as const;

/** Whether the address of a request says that its browser is that of an iPad. */
export function saysIpad(url: string): boolean {
  const [name, value] = IPAD_PARAMETER;
  return new URL(url).searchParams.get(name) === value;
}

/** The address that begins an installation on an iPad. */
function ofIpad(action: string): string {
  const [path, query] = action.split("?");
  const parameters = new URLSearchParams(query);
  parameters.set(...IPAD_PARAMETER);
  return `${path}?${parameters.toString()}`;
}

/**
 * Whether a browser that presents itself as a Mac may be that of an iPad, on which a release installs.
 * @param devices the device of the browser as it presents itself, and as an iPad
 */
export function installsOnIpad(
  release: Release | null,
  { device, ipad }: { device: DeviceFacts; ipad: DeviceFacts },
  now: Date,
): boolean {
  const mayBeIpad = ipad.os === "ipados" && device.os === "desktop";
  if (!mayBeIpad || release?.installer.kind !== "ipa") return false;
  return !releaseVerdict(releaseInstallFacts(release), ipad, { now, mayDownload: true }).refusal;
}

/** Refusals for which a visitor can do something other than ask the sender. */
const OWN_STEPS = [
  "wrong_system_android",
  "wrong_system_ios",
  "device_family_ipad",
  "manifest_not_https",
  "system_too_old",
] as const;

/** Refusals whose step says all that their detail says. */
const SAID_BY_STEP: readonly Reason["code"][] = ["manifest_not_https", "system_too_old"];

/** A text that a visitor copies. Their pages have no script that does it. */
function textToCopy(id: string, label: string, text: string, isLong = false): Html {
  const field = isLong
    ? html`<textarea id="${id}" rows="6" readonly>${text}</textarea>`
    : html`<input id="${id}" value="${text}" readonly>`;
  return html`<label for="${id}">${label}</label>${field}`;
}

function refusalCard(t: AppTranslator, refusal: Reason, { release, device, action, now }: VisitorInstallation): Html {
  const key = reasonKey(refusal);
  const own = OWN_STEPS.find((one) => one === key);
  const { title, detail, steps } = reasonWords(t, refusal, release.installer.kind, now);
  const why = !SAID_BY_STEP.includes(refusal.code) && html`<p>${detail}</p>`;
  const { displayName, version, buildNumber } = release;
  const report = [`${displayName} ${version} (${buildNumber}): ${title}.`, detail, ...steps].join(" ");
  const tell = !own && textToCopy("report", t("sharePage.tell"), report, true);
  // The browser may report an older system than the device has.
  const mayTry = device.os !== "desktop" && refusal.code === "system_too_old";
  return html`<section class="card warn"><h2>${title}</h2>${why}<p>${t(`sharePage.steps.${own ?? "ask"}`)}</p>${mayTry && installForm(action, t("install.anyway"), true)}${tell}</section>`;
}

/** What comes before everything else inside another app: how the page is opened where the installation works. */
function elsewhereCard(t: AppTranslator, { verdict, device, url }: VisitorInstallation): Html | null {
  const reason = verdict.notes.find(({ code }) => code === "browser_cannot_install");
  if (!reason) return null;
  const browser = device.os === "android" ? "Chrome" : "Safari";
  const address = textToCopy("address", t("sharePage.address"), url);
  return html`<section class="card warn"><h2>${t("install.inApp.title", { browser })}</h2><p>${t("install.inApp.description", { browser })}</p>${address}${drawingFor(t, reason)}</section>`;
}

/** How a release installs on a visitor's device. */
interface VisitorInstallation {
  release: Release;
  verdict: ReleaseVerdict;
  device: DeviceFacts;
  /** The address of the page. */
  url: string;
  /** The path that begins an installation when it is posted to. */
  action: string;
  /** Whether the browser presents itself as a Mac, and may be that of an iPad that installs the release. */
  mayBeIpad: boolean;
  /** The QR code of the page's address, which a computer shows. */
  qr: Html;
  /** Whether computers get no file. */
  onlyPhones: boolean;
  /** Whether phones install something else that the page opens there, although this computer shows a release that they refuse. */
  onPhones: boolean;
  now: Date;
}

/** What a computer shows: the code for a phone, and the file unless the page is for phones. Null if no phone installs anything. */
function forComputer(t: AppTranslator, installation: VisitorInstallation): Html | null {
  const { release, verdict, action, mayBeIpad, qr, onlyPhones, onPhones, now } = installation;
  const { kind } = release.installer;
  const isRefused = verdict.refusal !== null;
  if (isRefused && !onPhones) return null;
  const hint = isRefused ? t("sharePage.scan") : t(`install.scan.${platformKindOf(kind)}`);
  const notes = isRefused ? null : notesList(t, notesForTesters(verdict.notes), kind, now);
  const file = !isRefused && !onlyPhones && installForm(action, t("install.download"), true);
  return html`<section class="card"><div class="qr" role="img" aria-label="${t("sharePage.qr")}">${qr}</div><p class="muted scan">${onlyPhones ? t("sharePage.onlyPhones") : hint}</p>${file}${mayBeIpad && installForm(ofIpad(action), t("sharePage.ipad"), true)}${notes && html`<h2>${t("sharePage.onPhone")}</h2>${notes}`}</section>`;
}

/** The part of a page that installs a release on this device, or says why it does not. */
export function installationCard(t: AppTranslator, installation: VisitorInstallation): Html {
  const { release, verdict, device, action, now } = installation;
  const { refusal } = verdict;
  const refused = refusal && refusalCard(t, refusal, installation);
  if (device.os === "desktop") return html`${refused}${forComputer(t, installation)}`;
  if (refused) return refused;
  const elsewhere = elsewhereCard(t, installation);
  const isUnknown = ({ severity }: Reason) => severity === "unknown";
  const notes = notesForTesters(verdict.notes);
  const ready = !elsewhere && !notes.some(isUnknown) && html`<p class="ok">${t("install.ready")}</p>`;
  // The browser that the page is opened in next says how it installs.
  const shown = elsewhere ? notes.filter(isUnknown) : notes;
  return html`${elsewhere}<section class="card">${ready}${installForm(action, t("install.action"), elsewhere !== null)}${notesList(t, shown, release.installer.kind, now)}</section>`;
}

/** What is left to do on the device after the button. */
const DONE_AFTERWARDS: readonly Reason["code"][] = ["unknown_sources", "enterprise_trust", "developer_mode"];

/**
 * What follows the button: the browser goes on to the installation, and the page says what comes next.
 * @param after what is below that
 */
export function startedInstallation(
  release: Release,
  { url, way }: { url: string; way: InstallWay },
  page: VisitorPage,
  { device, now, after }: { device: DeviceFacts; now: Date; after: Html },
): CompleteReply {
  const { locale } = page;
  const t = translatorFor(locale);
  const name = release.displayName;
  const isApk = release.installer.kind !== "ipa" && hasDeviceFile(release);
  const next =
    way === "itms-services"
      ? t("install.next.ios", { name })
      : isApk
        ? t("install.next.apk", { name })
        : t("sharePage.started.file");
  const { notes } = releaseVerdict(releaseInstallFacts(release), device, { now, mayDownload: true });
  const left = device.os === "desktop" ? [] : notes.filter(({ code }) => DONE_AFTERWARDS.includes(code));
  const steps = notesList(t, left, release.installer.kind, now);
  const title = t(way === "itms-services" ? "sharePage.started.ios" : "sharePage.started.download");
  const body = html`<main>${releaseHead(t, locale, release)}<section class="card"><h2>${title}</h2><p role="status">${next}</p>${steps}<a class="button quiet" href="${url}">${t("sharePage.started.again")}</a></section>${after}</main>${visitorFooter(t, page)}`;
  const icon = release.iconUrl;
  return documentReply({ status: 200, locale, title: name, icon, continueTo: url, body, headers: VISITOR_VARY });
}

/** What somebody has entered, to be shown again after an error. A browser does not keep the picture. */
interface EnteredFeedback {
  text?: string;
  rating?: string;
}

const RATINGS = Array.from({ length: MAX_RATING }, (_, index) => String(index + 1));

interface FeedbackForm {
  /** The path that takes the form. */
  action: string;
  /** The path of the page of the release. */
  back: string;
  release: Release | null;
  /** The release that was tried, as the form sends it if its path does not say it. */
  tried: { version: string; buildNumber: string } | null;
  entered?: EnteredFeedback;
  problem?: { status: number; text: string; retryAfter?: number | undefined };
}

/** The form for feedback of visitors. Without the release, it names nobody: the link has been used up. */
export function feedbackPage(
  page: VisitorPage,
  { action, back, release, tried, entered = {}, problem }: FeedbackForm,
): CompleteReply {
  const { locale } = page;
  const t = translatorFor(locale);
  const title = t("sharePage.feedback.title");
  const mark = problem !== undefined && trustedHtml(' aria-invalid="true" aria-describedby="error"');
  const wrong = problem && html`<p class="error" id="error" role="alert">${problem.text}</p>`;
  const hidden =
    tried &&
    html`<input type="hidden" name="version" value="${tried.version}"><input type="hidden" name="buildNumber" value="${tried.buildNumber}">`;
  const rating = RATINGS.map(
    (value) =>
      html`<label><input type="radio" name="rating" value="${value}"${value === entered.rating && trustedHtml(" checked")}>${value}</label>`,
  );
  const form = html`<form class="card" method="post" action="${action}" enctype="multipart/form-data">${release ? html`<h2>${title}</h2>` : html`<h1>${title}</h1>`}${wrong}${hidden}<label for="text">${t("sharePage.feedback.text")}</label><textarea id="text" name="text" rows="6" maxlength="${MAX_FEEDBACK_TEXT}" required${mark}>${entered.text}</textarea><fieldset><legend>${t("sharePage.feedback.rating")}</legend><div class="rating">${rating}</div></fieldset><label for="screenshot">${t("sharePage.feedback.picture")}</label><input id="screenshot" name="screenshot" type="file" accept="${SCREENSHOT_TYPES}" aria-describedby="hint"><p class="muted small" id="hint">${t("sharePage.feedback.pictureHint")}</p><p class="muted small">${t("sharePage.feedback.seen")}</p><button class="button">${t("sharePage.feedback.send")}</button></form>`;
  const wayBack = html`<p class="scan"><a href="${back}">${t("sharePage.feedback.back")}</a></p>`;
  const heading = release && releaseHead(t, locale, release);
  const body = html`<main>${heading}${form}${release && wayBack}</main>${visitorFooter(t, page)}`;
  return documentReply({
    status: problem?.status ?? 200,
    locale,
    title,
    icon: release?.iconUrl,
    body,
    headers: { ...VISITOR_VARY, ...retryHeader(problem?.retryAfter) },
  });
}

/** What follows the form. @param back the path of the page of the release, if it still opens */
export function thanksPage(page: VisitorPage, back: string | null): CompleteReply {
  const t = translatorFor(page.locale);
  const after = back !== null && html`<p><a class="button" href="${back}">${t("sharePage.feedback.back")}</a></p>`;
  return visitorNotice(page, {
    status: 200,
    title: t("sharePage.feedback.thanks"),
    text: t("sharePage.feedback.thanksText"),
    ...(after && { after }),
  });
}

/** Failures of feedback that are shown with what was entered, so that it can be sent again. */
const FEEDBACK_RETRIES: readonly ErrorCode[] = [
  "conflict",
  "file_too_large",
  "rate_limited",
  "storage_full",
  "too_many_uploads",
  "unavailable",
  "unsupported_media_type",
  "validation_failed",
];

/**
 * The form with what was entered, and what was wrong.
 * @throws failure if it cannot be mended by sending the form again
 */
export function feedbackAgain(
  page: VisitorPage,
  {
    failure,
    sent,
    requestId,
    ...form
  }: Pick<FeedbackForm, "action" | "back" | "tried"> & {
    failure: ApiError;
    sent: ReadonlyMap<string, string | null>;
    requestId: string;
  },
): CompleteReply {
  if (!FEEDBACK_RETRIES.includes(failure.code)) throw failure;
  const { detail, errors } = problemOf(failure, page.locale, requestId);
  const entered = { text: sent.get("text") ?? "", rating: sent.get("rating") ?? "" };
  const problem = { status: failure.status, text: errors?.[0]?.message ?? detail, retryAfter: failure.retryAfter };
  return feedbackPage(page, { ...form, release: null, entered, problem });
}
