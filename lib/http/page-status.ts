import "server-only";
import type { ApiError } from "@/lib/kernel/errors";
import { escapeHtml } from "@/lib/kernel/html";
import { translatorFor } from "@/lib/kernel/i18n/translator";
import { currentExchange, requestId } from "./exchange";
import { problemOf } from "./problem";
import { localeOf } from "./request-facts";

const STYLE = "max-width:34rem;margin:20vh auto 0;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif";

/** The failure for browsers without JavaScript: Next leaves the document of a failed page empty and renders it in the browser. */
function failureWithoutScript(headers: Headers, error: ApiError): string {
  const locale = localeOf(headers);
  const { title, detail } = problemOf(error, locale, requestId());
  const retry = translatorFor(locale)("common.retry");
  return `<noscript><main style="${STYLE}"><h1>${escapeHtml(title)}</h1><p>${escapeHtml(detail)}</p><p><a href="">${escapeHtml(retry)}</a></p></main></noscript>`;
}

/**
 * Answers the page that is being rendered with the status of the failure that it is about to throw, with `Retry-After`, and with
 * the failure in the document for browsers without JavaScript. A page that has begun to be sent keeps its status.
 * @param headers the request's
 */
export function answerPageWith(headers: Headers, error: ApiError): void {
  const response = currentExchange()?.response;
  if (!response || response.headersSent) return;
  const { status, retryAfter } = error;
  // Next sends a failed document in pieces, without its length. The not-found page has content.
  const html = status === 404 ? null : failureWithoutScript(headers, error);
  response.failPage({ status, retryAfter, html });
}
