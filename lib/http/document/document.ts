import "server-only";
import { type Html, html, trustedHtml } from "@/lib/kernel/html";
import type { Locale } from "@/lib/kernel/i18n/locales";
import type { CompleteReply } from "../reply";
import { NOTICE_STYLE, PAGE_STYLE } from "./style";

/** A page that the server writes as one HTML document: it works without scripts, and has one stylesheet within it. */
export interface SmallDocument {
  status: number;
  locale: Locale;
  title: string;
  /** The content of `body`. */
  body: Html;
  /** Whether it says one thing, in `main.notice`, and has the shorter stylesheet. */
  isNotice?: boolean;
  /** The path of an image of the console that the browser shows beside the title. */
  icon?: string | null;
  /** Where the browser goes by itself once it shows the document: a path of the console, or an `itms-services` URL. */
  continueTo?: string;
  /** Makes the page an app that phones install: the paths of its script and of its manifest. */
  app?: { script: string; manifest: string };
  /** In addition to the document's own. */
  headers?: Record<string, string>;
}

/** What an app loads besides: its script, manifest and worker, and answers of the console. */
const APP_POLICY = ["script-src 'self'", "connect-src 'self'", "manifest-src 'self'", "worker-src 'self'"];

/**
 * Nothing is loaded but images of the console, nothing runs, and forms are sent to the console only. `itms-services` needs no entry:
 * it is a navigation.
 */
const policyOf = (styleSource: string, isApp: boolean) =>
  [
    "default-src 'none'",
    `style-src ${styleSource}`,
    "img-src 'self'",
    ...(isApp ? APP_POLICY : []),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** Seconds until the browser goes on, in which it paints the document. */
const CONTINUE_SECONDS = 1;

/**
 * The response with a small document. Search engines do not list it, and its address is sent to no other site.
 * A caller adds what the document depends on besides the language to `Vary`.
 */
export function documentReply(document: SmallDocument): CompleteReply {
  const { status, locale, title, body, icon, continueTo, app, headers, isNotice = false } = document;
  const style = isNotice ? NOTICE_STYLE : PAGE_STYLE;
  const content = html`<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex,nofollow"><meta name="format-detection" content="telephone=no"><title>${title}</title>${icon && html`<link rel="icon" href="${icon}">`}${continueTo && html`<meta http-equiv="refresh" content="${CONTINUE_SECONDS};url=${continueTo}">`}${app && html`<link rel="manifest" href="${app.manifest}"><link rel="apple-touch-icon" href="/apple-touch-icon.png"><script src="${app.script}" defer></script>`}<style>${trustedHtml(style.text)}</style></head><body>${body}</body></html>`;
  return {
    status,
    headers: new Headers({
      "Content-Type": "text/html; charset=utf-8",
      "Content-Language": locale,
      "Content-Security-Policy": policyOf(style.source, app !== undefined),
      "Referrer-Policy": "no-referrer",
      "X-Robots-Tag": "noindex, nofollow",
      "Cache-Control": "no-store",
      Vary: "Accept-Language, Cookie",
      ...headers,
    }),
    body: content.toString(),
  };
}
