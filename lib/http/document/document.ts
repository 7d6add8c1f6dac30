import "server-only";
import { type Html, html, trustedHtml } from "@/lib/kernel/html";
import type { Locale } from "@/lib/kernel/i18n/locales";
import type { CompleteReply } from "../reply";
import { NOTICE_STYLE, PAGE_STYLE } from "./style";

/** A page that the server writes as one HTML document: without scripts, and with one stylesheet within it. */
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
  /** In addition to the document's own. */
  headers?: Record<string, string>;
}

/**
 * Nothing is loaded but images of the console, nothing runs, and forms are sent to the console only. `itms-services` needs no entry:
 * it is a navigation.
 */
const policyOf = (styleSource: string) =>
  [
    "default-src 'none'",
    `style-src ${styleSource}`,
    "img-src 'self'",
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
  const { status, locale, title, body, icon, continueTo, headers, isNotice = false } = document;
  const style = isNotice ? NOTICE_STYLE : PAGE_STYLE;
  const content = html`<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex,nofollow"><meta name="format-detection" content="telephone=no"><title>${title}</title>${icon && html`<link rel="icon" href="${icon}">`}${continueTo && html`<meta http-equiv="refresh" content="${CONTINUE_SECONDS};url=${continueTo}">`}<style>${trustedHtml(style.text)}</style></head><body>${body}</body></html>`;
  return {
    status,
    headers: new Headers({
      "Content-Type": "text/html; charset=utf-8",
      "Content-Language": locale,
      "Content-Security-Policy": policyOf(style.source),
      "Referrer-Policy": "no-referrer",
      "X-Robots-Tag": "noindex, nofollow",
      "Cache-Control": "no-store",
      Vary: "Accept-Language, Cookie",
      ...headers,
    }),
    body: content.toString(),
  };
}
