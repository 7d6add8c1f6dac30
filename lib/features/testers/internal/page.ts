import "server-only";
import type { DeviceFacts } from "@slipway/installers";
import { readVisitorFacts } from "@/lib/features/releases/data/install-facts";
import { releaseInstallFacts, releaseVerdict } from "@/lib/features/releases/rules";
import type { Release } from "@/lib/features/releases/schema";
import {
  installationCard,
  releaseHead,
  releaseHeaders,
  releaseNotesCard,
  startedInstallation,
  VISITOR_VARY,
  type VisitorPage,
  visitorFooter,
  visitorNotice,
} from "@/lib/features/share-links/rules";
import { documentReply, type SmallDocument } from "@/lib/http/document/document";
import { qrCode } from "@/lib/http/document/qr-code";
import type { CompleteReply } from "@/lib/http/reply";
import { type Html, html } from "@/lib/kernel/html";
import type { Locale } from "@/lib/kernel/i18n/locales";
import { type AppTranslator, translatorFor } from "@/lib/kernel/i18n/translator";
import type { InstallWay } from "@/lib/kernel/navigation/installer-urls";
import { TESTER_SCRIPT_PATH } from "@/lib/kernel/push-message";
import { TESTER_PATH, testerUrl } from "@/lib/testers/secrets";
import type { TestedApp, Visitor } from "../data/visitors";

/** What every page of somebody without an account depends on. */
export interface PageFacts extends VisitorPage {
  secret: string;
  now: Date;
}

const pathOf = (secret: string, ...rest: string[]) => [`${TESTER_PATH}${secret}`, ...rest].join("/");

type More = Pick<SmallDocument, "icon" | "app" | "headers">;

function page(facts: PageFacts, title: string, content: Html, more: More = {}): CompleteReply {
  const { locale } = facts;
  const body = html`<main>${content}</main>${visitorFooter(translatorFor(locale), facts)}`;
  return documentReply({ status: 200, locale, title, body, headers: VISITOR_VARY, ...more });
}

/** The last part of the path of a page's manifest. */
export const MANIFEST_NAME = "manifest.webmanifest";

/** The manifest with which phones install the page of somebody without an account. On an iPhone or iPad, only an app is notified. */
export function manifestReply({ secret, locale, operator: name = "" }: PageFacts): CompleteReply {
  const start = pathOf(secret);
  const icon = (size: number) => ({ src: `/icon-${size}.png`, type: "image/png", sizes: `${size}x${size}` });
  const body = JSON.stringify({
    id: start,
    name,
    short_name: name.slice(0, 12),
    lang: locale,
    start_url: start,
    scope: start,
    display: "standalone",
    background_color: "#fcfcfd",
    theme_color: "#fcfcfd",
    icons: [icon(192), icon(512)],
  });
  const headers = {
    "Content-Type": "application/manifest+json",
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex, nofollow",
    Vary: "Accept-Language, Cookie",
  };
  return { status: 200, headers: new Headers(headers), body };
}

const appsOf = ({ apps }: Visitor, locale: Locale) =>
  new Intl.ListFormat(locale).format(apps.slice(0, 5).map(({ name }) => name));

/** Asks somebody whether they want to test. Only the button answers, so that programs that open links in mails do not. */
export function confirmationPage(visitor: Visitor, facts: PageFacts): CompleteReply {
  const { secret, locale } = facts;
  const t = translatorFor(locale);
  const title = t("testerPage.confirm.title", { apps: appsOf(visitor, locale) });
  const text = t("testerPage.confirm.text", { email: visitor.email });
  return page(
    facts,
    title,
    html`<section class="card"><h1>${title}</h1><p>${text}</p><form method="post" action="${pathOf(secret, "confirm")}"><button class="button">${t("testerPage.confirm.button")}</button></form><p class="muted small">${t("testerPage.confirm.otherwise")}</p></section>`,
  );
}

function releaseCard(t: AppTranslator, release: Release, { secret, locale }: PageFacts): Html {
  return html`<section class="card">${releaseHead(t, locale, release, "h3")}<a class="button quiet" href="${pathOf(secret, release.id)}">${t("testerPage.open")}</a></section>`;
}

function mailForm(t: AppTranslator, { id, name, notify }: TestedApp, secret: string): Html {
  const [text, label] = notify
    ? [t("testerPage.mails.on", { app: name }), t("testerPage.mails.stop")]
    : [t("testerPage.mails.off", { app: name }), t("testerPage.mails.start")];
  return html`<form method="post" action="${pathOf(secret, "mails")}"><p>${text}</p><input type="hidden" name="app" value="${id}"><input type="hidden" name="notify" value="${notify ? "off" : "on"}"><button class="button quiet">${label}</button></form>`;
}

/** The part on notifications, which the script of the page shows: only scripts know what the browser can and does. */
function pushPart(t: AppTranslator, pushKey: string): Html {
  const text = (state: "off" | "on" | "denied" | "install" | "failed") =>
    html`<p data-state="${state}" hidden>${t(`browserNotifications.${state}`)}</p>`;
  const states = [text("off"), text("on"), text("denied"), text("install"), text("failed")];
  return html`<section class="card" id="push" data-key="${pushKey}" aria-live="polite" hidden><h2>${t("browserNotifications.title")}</h2>${states}<p data-state="off failed" hidden><button class="button quiet">${t("browserNotifications.turnOn")}</button></p><p data-state="on" hidden><button class="button quiet">${t("browserNotifications.turnOff")}</button></p></section>`;
}

/**
 * The page of somebody without an account: their releases by application, and whether they are told of new ones.
 * @param pushKey the console's key for push services
 */
export function releasesPage(
  visitor: Visitor,
  releases: readonly Release[],
  { pushKey, ...facts }: PageFacts & { pushKey: string },
): CompleteReply {
  const t = translatorFor(facts.locale);
  const title = t("testerPage.title");
  const byApp = [...Map.groupBy(releases, ({ app }) => app.id).values()];
  const lists = byApp.map(
    (ofApp) =>
      html`<section><h2>${ofApp[0]?.app.name}</h2>${ofApp.map((release) => releaseCard(t, release, facts))}</section>`,
  );
  const empty = html`<p class="muted">${t("testerPage.empty")}</p>`;
  const bounced =
    visitor.bouncedAt !== null && html`<p class="error">${t("testerPage.bounced", { email: visitor.email })}</p>`;
  const mails =
    visitor.apps.length > 0 &&
    html`<section class="card"><h2>${t("testerPage.mails.title")}</h2>${bounced}${visitor.apps.map((app) => mailForm(t, app, facts.secret))}</section>`;
  const push = visitor.apps.length > 0 && pushPart(t, pushKey);
  const content = html`<h1>${title}</h1><p></p>${byApp.length === 0 ? empty : lists}${push}${mails}`;
  const app = { script: TESTER_SCRIPT_PATH, manifest: pathOf(facts.secret, MANIFEST_NAME) };
  return page(facts, title, content, { app });
}

/** The ways from a release: to feedback on it, and to all releases. */
function waysOn(t: AppTranslator, { id }: Release, secret: string): Html {
  return html`<p class="scan"><a href="${pathOf(secret, id, "feedback")}">${t("sharePage.feedback.give")}</a></p><p class="scan"><a href="${pathOf(secret)}">${t("testerPage.back")}</a></p>`;
}

/** What follows the button. */
export function startedPage(
  release: Release,
  begun: { url: string; way: InstallWay },
  facts: PageFacts & { device: DeviceFacts },
): CompleteReply {
  const { secret, locale, device, now } = facts;
  return startedInstallation(release, begun, facts, {
    device,
    now,
    after: waysOn(translatorFor(locale), release, secret),
  });
}

/** Says that a release is no longer there for somebody, who still has others. */
export function unavailablePage(facts: PageFacts): CompleteReply {
  const t = translatorFor(facts.locale);
  const title = t("testerPage.unavailable.title");
  const after = html`<p><a class="button" href="${pathOf(facts.secret)}">${t("testerPage.back")}</a></p>`;
  return visitorNotice(facts, { status: 404, title, text: t("testerPage.unavailable.text"), after });
}

/** The page of one release of somebody without an account. */
export async function releasePage(
  release: Release,
  device: DeviceFacts,
  facts: PageFacts & { mayBeIpad: boolean },
): Promise<CompleteReply> {
  const { secret, locale, now, mayBeIpad } = facts;
  const t = translatorFor(locale);
  const action = pathOf(secret, release.id, "install");
  const url = testerUrl(secret, release.id);
  const qr = device.os === "desktop" ? await qrCode(url) : html``;
  const installFacts = await readVisitorFacts(release);
  const verdict = releaseVerdict(releaseInstallFacts({ ...release, installFacts }), device, { now, mayDownload: true });
  const forPhones = { onlyPhones: false, onPhones: false };
  const card = installationCard(t, { release, verdict, device, url, action, mayBeIpad, qr, ...forPhones, now });
  const content = html`${releaseHead(t, locale, release)}${card}${releaseNotesCard(t, release)}${waysOn(t, release, secret)}`;
  return page(facts, release.displayName, content, { icon: release.iconUrl, headers: releaseHeaders(device, verdict) });
}

/** Asks whether somebody wants no more mails about an application. Only the button answers, or the mail program (RFC 8058). */
export function unsubscribePage({ id, name }: TestedApp, facts: PageFacts): CompleteReply {
  const t = translatorFor(facts.locale);
  const title = t("testerPage.unsubscribe.title", { app: name });
  const action = `${pathOf(facts.secret, "unsubscribe")}?app=${id}`;
  return page(
    facts,
    title,
    html`<section class="card"><h1>${title}</h1><p class="muted">${t("testerPage.unsubscribe.stays")}</p><form method="post" action="${action}"><button class="button">${t("testerPage.unsubscribe.button", { app: name })}</button></form></section>`,
  );
}

/** Says that somebody gets no more mails about an application. */
export function unsubscribedPage({ name }: TestedApp, facts: PageFacts): CompleteReply {
  const t = translatorFor(facts.locale);
  const title = t("testerPage.unsubscribe.done", { app: name });
  return page(
    facts,
    title,
    html`<section class="card" role="status"><h1>${title}</h1><p class="muted">${t("testerPage.unsubscribe.stays")}</p></section>`,
  );
}
