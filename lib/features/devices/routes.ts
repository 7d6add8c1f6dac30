import "server-only";
import { toApiError } from "@/lib/api/errors";
import { execute } from "@/lib/api/execute";
import { logFailure } from "@/lib/api/failure-log";
import { operationId, pathOf } from "@/lib/api/operation";
import { measured, route } from "@/lib/api/route";
import { peekToken } from "@/lib/auth/one-time-tokens";
import { db } from "@/lib/db/client";
import { chosenLanguage, visitorPage } from "@/lib/features/share-links/rules";
import { readBytes } from "@/lib/http/body";
import { networkOf } from "@/lib/http/network";
import { problemOf, problemReply } from "@/lib/http/problem";
import { consume } from "@/lib/http/rate-limit";
import type { CompleteReply, Reply } from "@/lib/http/reply";
import { requestFacts, visitorFacts } from "@/lib/http/request-facts";
import { type Handler, type RouteRequest, wrongMethod } from "@/lib/http/routes";
import { ApiError } from "@/lib/kernel/errors";
import { consoleName } from "./data";
import { enrollmentPage, registeredPage, unavailablePage } from "./internal/enrollment-page";
import { completeDeviceEnrollment } from "./operations/complete-device-enrollment";
import { ENROLLMENT_PATH } from "./rules";
import { MAX_ANSWER_BYTES } from "./schema";

export { ENROLLMENT_PATH } from "./rules";

export const ENROLLMENT_ANSWER_PATH = pathOf(completeDeviceEnrollment);

/** How iOS labels its answer, and how programs label bytes. */
const ANSWER_TYPES = /^application\/(pkcs7-signature|x-pkcs7-signature|pkcs7-mime|octet-stream)\s*(;|$)/i;
const PAGE_LIMIT = { name: "enrollment-page", limit: { points: 120, seconds: 60 } };

/** Takes the answer of a device, whose whole body it is. */
async function takeAnswer(request: RouteRequest): Promise<Reply> {
  const facts = requestFacts(request.headers, request.method, request.signal);
  try {
    const token = new URL(request.url).searchParams.get("token") ?? "";
    const { output } = await execute(completeDeviceEnrollment, {
      actor: async () => ({ kind: "anonymous", expired: false }),
      input: async () => ({ token, answer: (await readBytes(request, MAX_ANSWER_BYTES)).toString("base64") }),
      carriesFile: false,
      request: facts,
    });
    // iOS leaves the settings and opens the page in Safari.
    const headers = new Headers({ Location: (output as { url: string }).url, "Cache-Control": "no-store" });
    return { status: 301, headers, body: null };
  } catch (error) {
    return problemReply(toApiError(error), facts.locale, facts.requestId);
  }
}

const takeJson = route(completeDeviceEnrollment);

/** The answer of a device: its own, or one that a program passes on as JSON. */
export const handleEnrollmentAnswer: Handler = (request) => {
  if (!ANSWER_TYPES.test(request.headers.get("content-type") ?? "")) return takeJson(request);
  const name = operationId(completeDeviceEnrollment);
  return measured({ name, request, method: request.method }, () => takeAnswer(request));
};

/** Answers the page of an enrolment on the device. It reads no session: the phone need not be signed in. */
export const handleEnrollmentPages: Handler = async (request) => {
  const facts = visitorFacts(request);
  const { pathname } = new URL(request.url);
  if (request.method !== "GET" && request.method !== "HEAD") {
    return wrongMethod(`${ENROLLMENT_PATH}…`, ["GET", "HEAD"])(request);
  }
  return measured({ name: "enrollment-page", request, method: request.method }, async (): Promise<CompleteReply> => {
    const { locale, now, requestId } = facts;
    const page = visitorPage(request, locale);
    const language = chosenLanguage(request);
    if (language) return language;
    try {
      await consume({ ...PAGE_LIMIT, key: networkOf(facts.ip) });
      const token = pathname.slice(ENROLLMENT_PATH.length);
      const found = await peekToken(db, { token, purpose: "device-enrollment", now });
      if (!found) throw new ApiError("not_found", { detailKey: "detailLink" });
      if (found.state === "used") return registeredPage(page);
      if (found.state === "expired") throw new ApiError("link_expired", { detailKey: "detailEnrollment" });
      return await enrollmentPage(token, facts.headers, { ...page, operator: await consoleName(db) });
    } catch (error) {
      const failure = toApiError(error);
      if (failure.status >= 500) {
        logFailure(failure, { operation: "enrollment-page", requestId }, "a page of an enrolment failed");
      }
      const { title, detail } = problemOf(failure, locale, requestId);
      return unavailablePage(page, { status: failure.status, title, detail, retryAfter: failure.retryAfter });
    }
  });
};
