import "server-only";
import { toApiError } from "@/lib/api/errors";
import { execute } from "@/lib/api/execute";
import { logFailure } from "@/lib/api/failure-log";
import type { FileUpload } from "@/lib/api/operation";
import { formStore, measured } from "@/lib/api/route";
import { inTurn } from "@/lib/auth/turns";
import { toRelease } from "@/lib/features/releases/data/answers";
import { readForm, readUrlEncoded } from "@/lib/http/body";
import { networkOf } from "@/lib/http/network";
import { problemOf } from "@/lib/http/problem";
import { consume } from "@/lib/http/rate-limit";
import { type CompleteReply, seeOther } from "@/lib/http/reply";
import { type RequestFacts, requestFacts } from "@/lib/http/request-facts";
import { type Handler, type RouteRequest, wrongMethod } from "@/lib/http/routes";
import { runAfterwards } from "@/lib/kernel/afterwards";
import { ApiError } from "@/lib/kernel/errors";
import { aside } from "@/lib/kernel/turns";
import { visitingDevice } from "@/lib/visits/device";
import { requireTakesFeedback } from "./internal/feedback";
import { type EnteredFeedback, feedbackPage, thanksPage } from "./internal/feedback-page";
import { beginInstall, begunInstall } from "./internal/installing";
import { linkPage, passwordPage, startedPage } from "./internal/page";
import { isUnlocked, unlock } from "./internal/unlocking";
import { linkOfCode, openedBy, recordVisit, requireOpen, verdictOf, visit } from "./internal/visit";
import { repeatsWithHints, visitorOf } from "./internal/visitors";
import { createShareLinkFeedback } from "./operations/create-share-link-feedback";
import { asksForHints, installsOnIpad, isOpenedByPerson, linkEnd, saysIpad, visitorProblem } from "./rules";
import { MAX_LINK_PASSWORD } from "./schema";

/** The pages of share links, by the code: `/i/<code>`. */
export const SHARE_LINK_PATH = "/i/";

/** Of `begin-share-link-install`; its calls and the button's count together. */
const INSTALL_LIMIT = { name: "begin-share-link-install", limit: { points: 600, seconds: 60 } };

/** The page that starts an installation, also after it has used up the link. */
async function started(code: string, token: string, facts: RequestFacts): Promise<CompleteReply | null> {
  const found = await linkOfCode(code);
  const begun = await begunInstall(found, token, facts.now);
  const row = begun && found.releases.find(({ id }) => id === begun.releaseId);
  return begun && row ? startedPage(toRelease(row), begun, { code, locale: facts.locale, now: facts.now }) : null;
}

async function show(code: string, request: RouteRequest, facts: RequestFacts): Promise<CompleteReply> {
  const token = new URL(request.url).searchParams.get("install");
  const after = token && (await started(code, token, facts));
  if (after) return after;
  const visited = await visit(code, facts);
  const devices = { device: visited.device, ipad: visitingDevice(facts, true) };
  const mayBeIpad = installsOnIpad(visited.onIpad, devices, facts.now);
  const page = { code, locale: facts.locale, now: facts.now, mayBeIpad };
  const verdict = verdictOf(visited, facts.now);
  if (!isOpenedByPerson(facts)) return linkPage(visited, verdict, page);
  const { visitor, visitId } = visitorOf(visited.link.id, facts);
  const isRepeated = repeatsWithHints(visited.link.id, facts, asksForHints(visited.device, verdict));
  runAfterwards(() => recordVisit(visited, visitor, facts.now, isRepeated), facts.requestId);
  return linkPage(visited, verdict, { ...page, visitId });
}

async function takePassword(code: string, request: RouteRequest, facts: RequestFacts): Promise<CompleteReply> {
  const password = ((await aside(() => readUrlEncoded(request))).get("password") ?? "").slice(0, MAX_LINK_PASSWORD + 1);
  const found = await linkOfCode(code);
  requireOpen(found, facts.now);
  return seeOther(`${SHARE_LINK_PATH}${code}`, await unlock(found.link, password, facts));
}

async function install(code: string, request: RouteRequest, facts: RequestFacts): Promise<CompleteReply> {
  await consume({ ...INSTALL_LIMIT, key: networkOf(facts.ip) });
  const visited = await visit(code, facts, saysIpad(request.url));
  const given = new URL(request.url).searchParams.get("visit");
  const { visitor } = visitorOf(visited.link.id, facts, given);
  const { token } = await beginInstall(visited, { visitor, now: facts.now });
  return seeOther(`${SHARE_LINK_PATH}${code}?install=${token}`);
}

/** The release that somebody tried, by the parameters of a link to the form or by the fields of the form. */
function triedRelease(given: ReadonlyMap<string, string | null> | URLSearchParams) {
  const [version, buildNumber] = [given.get("version"), given.get("buildNumber")];
  return version && buildNumber ? { version, buildNumber } : null;
}

async function showFeedback(code: string, request: RouteRequest, facts: RequestFacts): Promise<CompleteReply> {
  const found = await linkOfCode(code);
  requireTakesFeedback(found, facts.now);
  if (!(await isUnlocked(found.link, facts))) throw new ApiError("password_required");
  const isOpen = linkEnd(found.link, facts.now) === null;
  const parameters = new URL(request.url).searchParams;
  const page = { code, locale: facts.locale, now: facts.now };
  if (parameters.has("sent")) return thanksPage(page, { isOpen });
  const { release } = openedBy(found, facts);
  return feedbackPage(page, {
    release: isOpen ? release : null,
    tried: triedRelease(parameters) ?? (isOpen ? release : null),
  });
}

/** Failures that are shown with what was entered, so that it can be sent again. */
const RETRIED: readonly string[] = [
  "conflict",
  "file_too_large",
  "rate_limited",
  "storage_full",
  "too_many_uploads",
  "unavailable",
  "unsupported_media_type",
  "validation_failed",
];

async function giveFeedback(code: string, request: RouteRequest, facts: RequestFacts): Promise<CompleteReply> {
  const sent = new Map<string, string | null>();
  const upload = createShareLinkFeedback.file as FileUpload;
  try {
    await execute(createShareLinkFeedback, {
      actor: async () => ({ kind: "anonymous", expired: false }),
      input: async ({ authorizeUpload, received }) => {
        const form = await readForm(request, upload, {
          field: async (name, value) => void sent.set(name, value),
          authorizeUpload: (fields) => authorizeUpload({ ...fields, code }),
          received,
          store: formStore(request, upload),
        });
        return { ...(form as object), code };
      },
      carriesFile: true,
      request: facts,
    });
  } catch (error) {
    const failure = toApiError(error);
    if (!RETRIED.includes(failure.code)) throw failure;
    const { detail, errors } = problemOf(failure, facts.locale, facts.requestId);
    const entered: EnteredFeedback = { text: sent.get("text") ?? "", rating: sent.get("rating") ?? "" };
    const problem = { status: failure.status, text: errors?.[0]?.message ?? detail, retryAfter: failure.retryAfter };
    return feedbackPage(
      { code, locale: facts.locale, now: facts.now },
      { release: null, tried: triedRelease(sent), entered, problem },
    );
  }
  return seeOther(`${SHARE_LINK_PATH}${code}/feedback?sent=1`);
}

type Action = (code: string, request: RouteRequest, facts: RequestFacts) => Promise<CompleteReply>;

/** What is answered, by the part of the path after the code and the method. */
const ACTIONS: Readonly<Record<string, Readonly<Record<string, Action>>>> = {
  "": { GET: show, HEAD: show, POST: takePassword },
  install: { POST: install },
  feedback: { GET: showFeedback, HEAD: showFeedback, POST: giveFeedback },
};

/** A failure as a page. A password is asked for where the code is, also after a wrong one. */
function failurePage(error: unknown, code: string, asked: boolean, facts: RequestFacts): CompleteReply {
  const failure = toApiError(error);
  const { locale, now, requestId } = facts;
  if (failure.status >= 500)
    logFailure(failure, { operation: "share-link-page", requestId }, "a page of a share link failed");
  const { title, detail } = problemOf(failure, locale, requestId);
  const { status, retryAfter } = failure;
  if (failure.code === "password_required" || (failure.code === "rate_limited" && asked)) {
    const isFirst = failure.code === "password_required" && !asked;
    return passwordPage({ code, locale, now }, { status, retryAfter, ...(!isFirst && { error: detail }) });
  }
  return visitorProblem(locale, { status, title, detail, retryAfter });
}

/** Answers the pages of share links. They ignore sessions, and are the same with every browser and without JavaScript. */
export const handleShareLinks: Handler = async (request) => {
  const facts = requestFacts(request.headers, request.method, request.signal);
  const { pathname } = new URL(request.url);
  const [code = "", rest = "", ...more] = pathname.slice(SHARE_LINK_PATH.length).split("/");
  const actions = more.length === 0 && Object.hasOwn(ACTIONS, rest) ? ACTIONS[rest] : undefined;
  const action = actions?.[request.method];
  if (actions && !action) return wrongMethod(pathname, Object.keys(actions))(request);
  return measured({ name: "share-link-page", request, method: request.method }, async () => {
    try {
      if (!action || code === "") throw new ApiError("not_found", { detailKey: "detailLink" });
      const act = () => action(code, request, facts);
      return await (request.method === "POST" ? inTurn(facts, act) : act());
    } catch (error) {
      return failurePage(error, code, rest === "" && request.method === "POST", facts);
    }
  });
};
