import "server-only";
import { toApiError } from "@/lib/api/errors";
import { logFailure } from "@/lib/api/failure-log";
import { takePageForm } from "@/lib/api/page-form";
import { measured } from "@/lib/api/route";
import { inTurn } from "@/lib/auth/turns";
import { toRelease } from "@/lib/features/releases/data/answers";
import { readUrlEncoded } from "@/lib/http/body";
import { networkOf } from "@/lib/http/network";
import { problemOf } from "@/lib/http/problem";
import { consume } from "@/lib/http/rate-limit";
import { type CompleteReply, seeOther } from "@/lib/http/reply";
import { type RequestFacts, visitorFacts } from "@/lib/http/request-facts";
import { type Handler, type RouteRequest, wrongMethod } from "@/lib/http/routes";
import { runAfterwards } from "@/lib/kernel/afterwards";
import { ApiError } from "@/lib/kernel/errors";
import { aside } from "@/lib/kernel/turns";
import { visitingDevice } from "@/lib/visits/device";
import { requireTakesFeedback } from "./internal/feedback";
import { beginInstall, begunInstall } from "./internal/installing";
import { linkPage, type PageFacts, passwordPage, startedPage } from "./internal/page";
import { isUnlocked, unlock } from "./internal/unlocking";
import { linkOfCode, openedBy, recordVisit, requireOpen, verdictOf, visit } from "./internal/visit";
import { repeatsWithHints, visitorOf } from "./internal/visitors";
import { createShareLinkFeedback } from "./operations/create-share-link-feedback";
import {
  asksForHints,
  chosenLanguage,
  feedbackAgain,
  feedbackPage,
  installsOnIpad,
  isOpenedByPerson,
  linkEnd,
  saysIpad,
  thanksPage,
  visitorPage,
  visitorProblem,
} from "./rules";
import { MAX_LINK_PASSWORD } from "./schema";

/** The pages of share links, by the code: `/i/<code>`. */
export const SHARE_LINK_PATH = "/i/";

const pathOf = (code: string, ...rest: string[]) => [`${SHARE_LINK_PATH}${code}`, ...rest].join("/");

function pageOf(code: string, request: RouteRequest, { locale, now }: RequestFacts): PageFacts {
  return { code, now, ...visitorPage(request, locale) };
}

/** Of `begin-share-link-install`; its calls and the button's count together. */
const INSTALL_LIMIT = { name: "begin-share-link-install", limit: { points: 600, seconds: 60 } };

/** The page that starts an installation, also after it has used up the link. */
async function started(
  code: string,
  token: string,
  request: RouteRequest,
  facts: RequestFacts,
): Promise<CompleteReply | null> {
  const found = await linkOfCode(code);
  const begun = await begunInstall(found, token, facts.now);
  const row = begun && found.releases.find(({ id }) => id === begun.releaseId);
  if (!begun || !row) return null;
  const page = { ...pageOf(code, request, facts), operator: found.link.operator };
  return startedPage(toRelease(row), begun, { ...page, device: visitingDevice(facts) });
}

async function show(code: string, request: RouteRequest, facts: RequestFacts): Promise<CompleteReply> {
  const token = new URL(request.url).searchParams.get("install");
  const after = token && (await started(code, token, request, facts));
  if (after) return after;
  const visited = await visit(code, facts);
  const devices = { device: visited.device, ipad: visitingDevice(facts, true) };
  const mayBeIpad = installsOnIpad(visited.onIpad, devices, facts.now);
  const page = { ...pageOf(code, request, facts), operator: visited.link.operator, mayBeIpad };
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
  const page = pageOf(code, request, facts);
  if (parameters.has("sent")) return thanksPage(page, isOpen ? pathOf(code) : null);
  const { release } = openedBy(found, facts);
  const { operator } = found.link;
  return feedbackPage(isOpen ? { ...page, operator } : page, {
    action: pathOf(code, "feedback"),
    back: pathOf(code),
    release: isOpen ? release : null,
    tried: triedRelease(parameters) ?? (isOpen ? release : null),
  });
}

async function giveFeedback(code: string, request: RouteRequest, facts: RequestFacts): Promise<CompleteReply> {
  const { sent, failure } = await takePageForm(createShareLinkFeedback, { request, facts, known: { code } });
  if (!failure) return seeOther(`${pathOf(code, "feedback")}?sent=1`);
  return feedbackAgain(pageOf(code, request, facts), {
    failure,
    sent,
    requestId: facts.requestId,
    action: pathOf(code, "feedback"),
    back: pathOf(code),
    tried: triedRelease(sent),
  });
}

type Action = (code: string, request: RouteRequest, facts: RequestFacts) => Promise<CompleteReply>;

/** What is answered, by the part of the path after the code and the method. */
const ACTIONS: Readonly<Record<string, Readonly<Record<string, Action>>>> = {
  "": { GET: show, HEAD: show, POST: takePassword },
  install: { POST: install },
  feedback: { GET: showFeedback, HEAD: showFeedback, POST: giveFeedback },
};

/** A failure as a page. A password is asked for where the code is, also after a wrong one. */
function failurePage(error: unknown, page: PageFacts, asked: boolean, facts: RequestFacts): CompleteReply {
  const failure = toApiError(error);
  const { locale, requestId } = facts;
  if (failure.status >= 500)
    logFailure(failure, { operation: "share-link-page", requestId }, "a page of a share link failed");
  const { title, detail } = problemOf(failure, locale, requestId);
  const { status, retryAfter } = failure;
  if (failure.code === "password_required" || (failure.code === "rate_limited" && asked)) {
    const isFirst = failure.code === "password_required" && !asked;
    // A page that asks for the password is no failure.
    return isFirst ? passwordPage(page, { status: 200 }) : passwordPage(page, { status, retryAfter, error: detail });
  }
  return visitorProblem(page, { status, title, detail, retryAfter });
}

/** Answers the pages of share links. They ignore sessions, and are the same with every browser and without JavaScript. */
export const handleShareLinks: Handler = async (request) => {
  const facts = visitorFacts(request);
  const { pathname } = new URL(request.url);
  const [code = "", rest = "", ...more] = pathname.slice(SHARE_LINK_PATH.length).split("/");
  const actions = more.length === 0 && Object.hasOwn(ACTIONS, rest) ? ACTIONS[rest] : undefined;
  const action = actions?.[request.method];
  if (actions && !action) return wrongMethod(pathname, Object.keys(actions))(request);
  return measured({ name: "share-link-page", request, method: request.method }, async () => {
    const language = chosenLanguage(request);
    if (language) return language;
    try {
      if (!action || code === "") throw new ApiError("not_found", { detailKey: "detailLink" });
      const act = () => action(code, request, facts);
      return await (request.method === "POST" ? inTurn(facts, act) : act());
    } catch (error) {
      const { locale, now } = facts;
      const address = actions?.GET ? undefined : pathOf(code);
      const page = { code, now, ...visitorPage(request, locale, address) };
      return failurePage(error, page, rest === "" && request.method === "POST", facts);
    }
  });
};
