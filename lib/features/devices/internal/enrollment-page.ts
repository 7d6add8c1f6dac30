import "server-only";
import { deviceFromHeaders } from "@slipway/installers";
import { type VisitorPage, visitorFooter } from "@/lib/features/share-links/rules";
import { documentReply } from "@/lib/http/document/document";
import { qrCode } from "@/lib/http/document/qr-code";
import type { CompleteReply } from "@/lib/http/reply";
import { type Html, html, trustedHtml } from "@/lib/kernel/html";
import { type AppTranslator, translatorFor } from "@/lib/kernel/i18n/translator";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { enrollmentUrls } from "./enrollment";

/** Our own drawings of what iOS shows: the row in the settings, and the button. They have no text that iOS translates. */
const ROW = trustedHtml(
  `<svg viewBox="0 0 320 64" width="100%" role="presentation" aria-hidden="true"><rect x=".5" y=".5" width="319" height="63" rx="14" fill="none" stroke="currentColor" stroke-opacity=".25"/><rect x="16" y="16" width="32" height="32" rx="8" fill="#8e8e93"/><circle cx="32" cy="32" r="7" fill="none" stroke="#fff" stroke-width="3"/><path d="M32 21v4M32 39v4M21 32h4M39 32h4" stroke="#fff" stroke-width="3"/><rect x="64" y="27" width="150" height="10" rx="5" fill="currentColor" fill-opacity=".55"/><path d="m292 24 8 8-8 8" fill="none" stroke="currentColor" stroke-opacity=".5" stroke-width="3"/></svg>`,
);
const BUTTON = trustedHtml(
  `<svg viewBox="0 0 320 64" width="100%" role="presentation" aria-hidden="true"><rect x=".5" y=".5" width="319" height="63" rx="14" fill="none" stroke="currentColor" stroke-opacity=".25"/><rect x="112" y="27" width="96" height="10" rx="5" fill="currentColor" fill-opacity=".3"/><rect x="236" y="18" width="68" height="28" rx="14" fill="#2f6fed"/><path d="m260 32 7 7 13-14" fill="none" stroke="#fff" stroke-width="3"/></svg>`,
);

const HEADERS = { Vary: "Accept-Language, Cookie, User-Agent" };

function steps(t: AppTranslator): Html {
  return html`<ol><li>${t("devices.steps.allow")}</li><li>${t("devices.steps.open")}${ROW}</li><li>${t("devices.steps.install")}${BUTTON}</li></ol><p class="muted small">${t("devices.steps.asks")}</p>`;
}

/** Says how a device is registered, with the button that begins it on an iPhone or iPad. */
export async function enrollmentPage(token: string, headers: Headers, page: VisitorPage): Promise<CompleteReply> {
  const { os, browser } = deviceFromHeaders(headers);
  const { locale } = page;
  const t = translatorFor(locale);
  const { enrollmentUrl, profileUrl } = enrollmentUrls(token);
  const isApple = os === "ios" || os === "ipados";
  const title = t(isApple ? "devices.registerThis" : "devices.registerOn");
  const elsewhere = isApple && browser !== "safari" && html`<p class="error">${t("devices.steps.safari")}</p>`;
  const content = isApple
    ? html`${elsewhere}<p><a class="button" href="${profileUrl}">${t("devices.download")}</a></p>${steps(t)}`
    : html`<p>${t("devices.scan")}</p><div class="qr">${await qrCode(enrollmentUrl)}</div>${
        // An iPad presents itself as a Mac.
        os === "desktop" && html`<p><a class="button quiet" href="${profileUrl}">${t("devices.downloadIpad")}</a></p>`
      }${steps(t)}`;
  const body = html`<main><section class="card"><h1>${title}</h1>${content}</section></main>${visitorFooter(t, page)}`;
  return documentReply({ status: 200, locale, title, body, icon: "/brand.svg", headers: HEADERS });
}

/** Says that the device is registered. */
export function registeredPage(page: VisitorPage): CompleteReply {
  const { locale } = page;
  const t = translatorFor(locale);
  const title = t("devices.registered");
  const body = html`<main class="notice" role="status"><h1>${title}</h1><p class="muted">${t("devices.registeredNext")}</p><p><a class="button" href="${PAGES.devices}">${t("devices.mine")}</a></p></main>${visitorFooter(t, page)}`;
  return documentReply({ status: 200, locale, title, body, isNotice: true, icon: "/brand.svg", headers: HEADERS });
}

/** Says why there is nothing to register here. */
export function unavailablePage(
  page: VisitorPage,
  problem: { status: number; title: string; detail: string; retryAfter?: number | undefined },
): CompleteReply {
  const { status, title, detail, retryAfter } = problem;
  const { locale } = page;
  const body = html`<main class="notice"><h1>${title}</h1><p class="muted">${detail}</p></main>${visitorFooter(translatorFor(locale), page)}`;
  const headers = { ...HEADERS, ...(retryAfter !== undefined && { "Retry-After": String(retryAfter) }) };
  return documentReply({ status, locale, title, body, isNotice: true, icon: "/brand.svg", headers });
}
