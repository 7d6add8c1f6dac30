import "server-only";
import { escapeHtml } from "@/lib/kernel/html";
import type { Locale } from "@/lib/kernel/i18n/locales";
import { translatorFor } from "@/lib/kernel/i18n/translator";
import { processSingleton } from "@/lib/kernel/process-singleton";
import type { CompleteReply } from "./reply";

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const STYLE =
  ":root{color-scheme:light dark;--m:light-dark(#5b616e,#9aa1ae);--b:light-dark(#2457d6,#2f63e3)}" +
  "body{margin:0;min-height:100dvh;display:grid;place-content:center;padding:2rem;box-sizing:border-box;" +
  "background:light-dark(#fcfcfd,#0f1012);color:light-dark(#16181d,#eceef2);font:14px/1.5 system-ui,sans-serif;text-align:center}" +
  "h1{margin:0 0 .5rem;font-size:1.25rem}p{margin:0 0 1.5rem;max-width:28rem;color:var(--m)}" +
  "a{justify-self:center;display:inline-flex;align-items:center;min-height:44px;padding:0 1rem;border-radius:8px;background:var(--b);" +
  "color:#fff;font-weight:500;text-decoration:none}a:focus-visible{outline:2px solid;outline-offset:2px}";

type SmallPage = "notFound" | "tooManyPages";

const documents = processSingleton("small-pages", () => new Map<string, string>());

function documentOf(page: SmallPage, locale: Locale): string {
  const t = translatorFor(locale);
  const [title, text, action, href] =
    page === "notFound"
      ? [t("shell.notFound.title"), t("shell.notFound.description"), t("shell.notFound.action"), "/"]
      : [t("shell.tooManyPages.title"), t("shell.tooManyPages.description"), t("common.retry"), ""];
  return `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(title)} · ${escapeHtml(t("shell.product"))}</title><link rel="icon" href="/brand.svg"><style>${STYLE}</style></head><body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p><a href="${href}">${escapeHtml(action)}</a></main></body></html>`;
}

/**
 * A page that costs no rendering, for callers who are not known or ask too often. It has no script and is the same for all callers
 * with a language.
 * @param options.retryAfter in seconds
 */
export function smallPage(
  page: SmallPage,
  { status, locale, retryAfter }: { status: number; locale: Locale; retryAfter?: number },
): CompleteReply {
  const key = `${page} ${locale}`;
  const body = documents.get().get(key) ?? documentOf(page, locale);
  documents.get().set(key, body);
  const headers = new Headers({
    "Content-Type": "text/html; charset=utf-8",
    "Content-Language": locale,
    "Content-Security-Policy": POLICY,
    "Cache-Control": "no-store",
    Vary: "Accept-Language, Cookie",
  });
  if (retryAfter !== undefined) headers.set("Retry-After", String(retryAfter));
  return { status, headers, body };
}
