import "server-only";
import { MAX_FEEDBACK_TEXT, MAX_RATING, SCREENSHOT_TYPES } from "@/lib/features/feedback/schema";
import type { Release } from "@/lib/features/releases/schema";
import { documentReply } from "@/lib/http/document/document";
import type { CompleteReply } from "@/lib/http/reply";
import { html, trustedHtml } from "@/lib/kernel/html";
import { translatorFor } from "@/lib/kernel/i18n/translator";
import { releaseHead, retryHeader, VISITOR_VARY, visitorFooter, visitorNotice } from "../rules";
import type { PageFacts } from "./page";

/** What somebody has entered, to be shown again after an error. A browser does not keep the picture. */
export interface EnteredFeedback {
  text?: string;
  rating?: string;
}

const RATINGS = Array.from({ length: MAX_RATING }, (_, index) => String(index + 1));

/** The form for feedback by a link. Without the release, it names nobody: the link has been used up. */
export function feedbackPage(
  { code, locale }: PageFacts,
  {
    release,
    tried,
    entered = {},
    problem,
  }: {
    release: Release | null;
    /** The release that was tried, as the form sends it. */
    tried: { version: string; buildNumber: string } | null;
    entered?: EnteredFeedback;
    problem?: { status: number; text: string; retryAfter?: number | undefined };
  },
): CompleteReply {
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
  const form = html`<form class="card" method="post" action="/i/${code}/feedback" enctype="multipart/form-data">${release ? html`<h2>${title}</h2>` : html`<h1>${title}</h1>`}${wrong}${hidden}<label for="text">${t("sharePage.feedback.text")}</label><textarea id="text" name="text" rows="6" maxlength="${MAX_FEEDBACK_TEXT}" required${mark}>${entered.text}</textarea><fieldset><legend>${t("sharePage.feedback.rating")}</legend><div class="rating">${rating}</div></fieldset><label for="screenshot">${t("sharePage.feedback.picture")}</label><input id="screenshot" name="screenshot" type="file" accept="${SCREENSHOT_TYPES}" aria-describedby="hint"><p class="muted small" id="hint">${t("sharePage.feedback.pictureHint")}</p><p class="muted small">${t("sharePage.feedback.seen")}</p><button class="button">${t("sharePage.feedback.send")}</button></form>`;
  const back = html`<p class="scan"><a href="/i/${code}">${t("sharePage.feedback.back")}</a></p>`;
  const heading = release && releaseHead(t, locale, release);
  const body = html`<main>${heading}${form}${release && back}</main>${visitorFooter(t)}`;
  return documentReply({
    status: problem?.status ?? 200,
    locale,
    title,
    icon: release?.iconUrl,
    body,
    headers: { ...VISITOR_VARY, ...retryHeader(problem?.retryAfter) },
  });
}

/** What follows the form. */
export function thanksPage({ code, locale }: PageFacts, { isOpen }: { isOpen: boolean }): CompleteReply {
  const t = translatorFor(locale);
  const back = isOpen && html`<p><a class="button" href="/i/${code}">${t("sharePage.feedback.back")}</a></p>`;
  return visitorNotice(locale, {
    status: 200,
    title: t("sharePage.feedback.thanks"),
    text: t("sharePage.feedback.thanksText"),
    ...(back && { after: back }),
  });
}
