import "server-only";
import { html } from "@/lib/kernel/html";
import type { Locale } from "@/lib/kernel/i18n/locales";
import { translatorFor } from "@/lib/kernel/i18n/translator";
import { processSingleton } from "@/lib/kernel/process-singleton";
import { documentReply } from "./document/document";
import type { CompleteReply } from "./reply";

type SmallPage = "notFound" | "tooManyPages";

const pages = processSingleton("small-pages", () => new Map<string, CompleteReply>());

function render(page: SmallPage, status: number, locale: Locale): CompleteReply {
  const t = translatorFor(locale);
  const [title, text, action, href] =
    page === "notFound"
      ? [t("shell.notFound.title"), t("shell.notFound.description"), t("shell.notFound.action"), "/"]
      : [t("shell.tooManyPages.title"), t("shell.tooManyPages.description"), t("common.retry"), ""];
  return documentReply({
    status,
    locale,
    title: `${title} · ${t("shell.product")}`,
    icon: "/brand.svg",
    isNotice: true,
    body: html`<main class="notice"><h1>${title}</h1><p class="muted">${text}</p><a class="button" href="${href}">${action}</a></main>`,
  });
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
  const { headers: kept, body } = pages.get().get(key) ?? render(page, status, locale);
  pages.get().set(key, { status, headers: kept, body });
  const headers = new Headers(kept);
  if (retryAfter !== undefined) headers.set("Retry-After", String(retryAfter));
  return { status, headers, body };
}
