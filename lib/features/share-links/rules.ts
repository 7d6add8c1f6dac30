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
import { documentReply } from "@/lib/http/document/document";
import type { CompleteReply } from "@/lib/http/reply";
import { formatBytes } from "@/lib/kernel/format-bytes";
import { type Html, html, trustedHtml } from "@/lib/kernel/html";
import { FORMAT_LOCALES, type Locale } from "@/lib/kernel/i18n/locales";
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

/** What is below every page of visitors, with the way to the documentation for testers, which is in their language. */
export function visitorFooter(t: AppTranslator): Html {
  return html`<footer>${t("sharePage.footer", { product: t("shell.product") })} · <a href="${PAGES.docs}/testers">${t("sharePage.help")}</a></footer>`;
}

/** A page for visitors that says one thing. */
export function visitorNotice(
  locale: Locale,
  {
    status,
    title,
    text,
    after,
    headers,
  }: { status: number; title: string; text: string; after?: Html; headers?: Record<string, string> },
): CompleteReply {
  const t = translatorFor(locale);
  const body = html`<main class="notice"><h1>${title}</h1><p class="muted">${text}</p>${after}</main>${visitorFooter(t)}`;
  return documentReply({ status, locale, title, body, isNotice: true, headers: { ...VISITOR_VARY, ...headers } });
}

/** When a visitor who has called too often may try again. */
export function retryHeader(seconds: number | undefined): Record<string, string> {
  return seconds === undefined ? {} : { "Retry-After": String(seconds) };
}

/** What is shown to a visitor instead of a page for an error, in the words of the API. */
export function visitorProblem(
  locale: Locale,
  {
    status,
    title,
    detail,
    retryAfter,
  }: { status: number; title: string; detail: string; retryAfter?: number | undefined },
): CompleteReply {
  return visitorNotice(locale, { status, title, text: detail, headers: retryHeader(retryAfter) });
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

function notesList(t: AppTranslator, { verdict, kind, now }: VisitorInstallation): Html | null {
  const shown = notesForTesters(verdict.notes);
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

function refusalCard(t: AppTranslator, refusal: Reason, action: string, isPhone: boolean): Html {
  const key = reasonKey(refusal);
  const step = t(`sharePage.steps.${OWN_STEPS.find((own) => own === key) ?? "ask"}`);
  // The browser may report an older system than the device has.
  const mayTry = isPhone && refusal.code === "system_too_old";
  return html`<section class="card warn"><h2>${t(`install.reasons.${key}.title`)}</h2><p>${step}</p>${mayTry && installForm(action, t("install.anyway"), true)}</section>`;
}

/** How a release installs on a visitor's device. */
interface VisitorInstallation {
  verdict: ReleaseVerdict;
  kind: InstallerKind;
  device: DeviceFacts;
  /** The path that begins an installation when it is posted to. */
  action: string;
  /** Whether the browser presents itself as a Mac, and may be that of an iPad that installs the release. */
  mayBeIpad: boolean;
  /** The QR code of the page's address, which a computer shows. */
  qr: Html;
  /** Whether computers get no file. */
  onlyPhones: boolean;
  now: Date;
}

/** What a computer shows: the code for a phone, and the file unless the page is for phones. */
function forComputer(t: AppTranslator, installation: VisitorInstallation): Html {
  const { verdict, kind, action, mayBeIpad, qr, onlyPhones } = installation;
  const hint = verdict.refusal ? t("sharePage.scan") : t(`install.scan.${platformKindOf(kind)}`);
  return html`<section class="card"><div class="qr" role="img" aria-label="${t("sharePage.qr")}">${qr}</div><p class="muted scan">${onlyPhones ? t("sharePage.onlyPhones") : hint}</p>${!onlyPhones && installForm(action, t("install.download"), true)}${mayBeIpad && installForm(ofIpad(action), t("sharePage.ipad"), true)}${!verdict.refusal && notesList(t, installation)}</section>`;
}

/** The part of a page that installs a release on this device, or says why it does not. */
export function installationCard(t: AppTranslator, installation: VisitorInstallation): Html {
  const { verdict, device, action } = installation;
  const { refusal, notes } = verdict;
  if (device.os === "desktop") {
    const refused = refusal && refusalCard(t, refusal, action, false);
    return html`${refused}${forComputer(t, installation)}`;
  }
  if (refusal) return refusalCard(t, refusal, action, true);
  const isKnown = notes.every(({ severity }) => severity !== "unknown");
  return html`<section class="card">${isKnown && html`<p class="ok">${t("install.ready")}</p>`}${installForm(action, t("install.action"))}${notesList(t, installation)}</section>`;
}

/**
 * What follows the button: the browser goes on to the installation, and the page says what comes next.
 * @param after what is below that
 */
export function startedInstallation(
  release: Release,
  { url, way }: { url: string; way: InstallWay },
  locale: Locale,
  after: Html | null = null,
): CompleteReply {
  const t = translatorFor(locale);
  const name = release.displayName;
  const isApk = release.installer.kind !== "ipa" && hasDeviceFile(release);
  const next =
    way === "itms-services"
      ? t("install.next.ios", { name })
      : isApk
        ? t("install.next.apk", { name })
        : t("sharePage.started.file");
  const isEnterprise = release.installer.kind === "ipa" && release.installer.profileType === "enterprise";
  const trust = "install.reasons.enterprise_trust" as const;
  const steps =
    way === "itms-services" &&
    isEnterprise &&
    html`<ol><li>${t(`${trust}.step`)}</li><li>${t(`${trust}.step2`)}</li><li>${t(`${trust}.step3`)}</li></ol>`;
  const title = t(way === "itms-services" ? "sharePage.started.ios" : "sharePage.started.download");
  const body = html`<main>${releaseHead(t, locale, release)}<section class="card"><h2>${title}</h2><p role="status">${next}</p>${steps}<a class="button quiet" href="${url}">${t("sharePage.started.again")}</a></section>${after}</main>${visitorFooter(t)}`;
  const icon = release.iconUrl;
  return documentReply({ status: 200, locale, title: name, icon, continueTo: url, body, headers: VISITOR_VARY });
}
