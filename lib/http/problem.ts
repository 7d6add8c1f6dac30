import "server-only";
import { type ApiError, ERROR_STATUS, type ErrorCode, type FieldIssue } from "@/lib/kernel/errors";
import type { Locale } from "@/lib/kernel/i18n/locales";
import { type LooseTranslator, translatorFor } from "@/lib/kernel/i18n/translator";
import { MAX_ISSUES } from "@/lib/kernel/issues";
import { API_HEADERS } from "./headers";
import type { CompleteReply } from "./reply";

/** RFC 9457 problem details, as every failure is answered. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  code: ErrorCode;
  detail: string;
  errors?: { path: string; code: string; message: string }[];
  requestId: string;
}

/** Characters of a field's name in an answer; the caller chose the name. */
const MAX_NAME = 200;

function shownPath(path: FieldIssue["path"]): string {
  return path.map((name) => String(name).slice(0, MAX_NAME).toWellFormed()).join(".");
}

function issueInWords(t: LooseTranslator, issue: FieldIssue): { path: string; code: string; message: string } {
  return { path: shownPath(issue.path), code: issue.code, message: t(`validation.${issue.message}`, issue.params) };
}

/** Whether an error is one of the refusals of an installer, whose words are shared with the browser and the command-line tool. */
function isReasonOfInstaller({ code, detailKey }: ApiError): boolean {
  return (code === "invalid_installer" || code === "unsupported_media_type") && !detailKey.startsWith("detail");
}

/** Puts an error into the caller's language. */
export function problemOf(error: ApiError, locale: Locale, requestId: string): Problem {
  const t = translatorFor(locale) as unknown as LooseTranslator;
  return {
    type: `urn:slipway:problem:${error.code}`,
    title: t(`errors.${error.code}.title`),
    status: ERROR_STATUS[error.code],
    code: error.code,
    detail: isReasonOfInstaller(error)
      ? t(`installerErrors.${error.detailKey}`, error.params)
      : t(`errors.${error.code}.${error.detailKey}`, error.params),
    ...(error.issues.length > 0 && {
      errors: error.issues.slice(0, MAX_ISSUES).map((issue) => issueInWords(t, issue)),
    }),
    requestId,
  };
}

/** The answer for an error: `application/problem+json`, never cached. */
export function problemReply(
  error: ApiError,
  locale: Locale,
  requestId: string,
  headers: Record<string, string> = {},
): CompleteReply {
  const body = JSON.stringify(problemOf(error, locale, requestId));
  return {
    body,
    status: error.status,
    headers: new Headers({
      ...API_HEADERS,
      "Content-Type": "application/problem+json",
      "Content-Language": locale,
      "Cache-Control": "no-store",
      "X-Request-Id": requestId,
      ...(error.retryAfter !== undefined && { "Retry-After": String(error.retryAfter) }),
      ...(error.status === 401 && { "WWW-Authenticate": "Bearer" }),
      ...headers,
    }),
  };
}
