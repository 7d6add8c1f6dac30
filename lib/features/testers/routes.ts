import "server-only";
import { toApiError } from "@/lib/api/errors";
import { logFailure } from "@/lib/api/failure-log";
import { takePageForm } from "@/lib/api/page-form";
import { measured, plainRoute } from "@/lib/api/route";
import { issueToken, peekToken } from "@/lib/auth/one-time-tokens";
import { pushKeys } from "@/lib/auth/server-keys";
import { db } from "@/lib/db/client";
import { lockRow } from "@/lib/db/locks";
import { toRelease } from "@/lib/features/releases/data/answers";
import { releaseInstallFacts, releaseVerdict } from "@/lib/features/releases/rules";
import type { Release } from "@/lib/features/releases/schema";
import {
  chosenLanguage,
  feedbackAgain,
  feedbackPage,
  installsOnIpad,
  isOpenedByPerson,
  saysIpad,
  thanksPage,
  type VisitorPage,
  visitorPage,
  visitorProblem,
} from "@/lib/features/share-links/rules";
import { readBytes, readUrlEncoded } from "@/lib/http/body";
import { networkOf } from "@/lib/http/network";
import { problemOf } from "@/lib/http/problem";
import { consume } from "@/lib/http/rate-limit";
import { type CompleteReply, seeOther } from "@/lib/http/reply";
import { type RequestFacts, visitorFacts } from "@/lib/http/request-facts";
import { type Handler, type RouteRequest, wrongMethod } from "@/lib/http/routes";
import { runAfterwards } from "@/lib/kernel/afterwards";
import { ApiError } from "@/lib/kernel/errors";
import { idSchema } from "@/lib/kernel/ids-schema";
import { log } from "@/lib/kernel/log";
import { INSTALL_PURPOSES, installStartUrl, installWayOf } from "@/lib/kernel/navigation/installer-urls";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { takeReturnedMail } from "@/lib/testers/bounces";
import { removeSubscriptions } from "@/lib/testers/push-subscriptions";
import { TESTER_PATH as SECRET_PATH } from "@/lib/testers/secrets";
import { browserDevice, obstacles, visitingDevice } from "@/lib/visits/device";
import { recordStep } from "@/lib/visits/record";
import { encodeVisitor, type Visitor as InstallVisitor, namedVisitor } from "@/lib/visits/visitor";
import { subscribe } from "./data/push-subscriptions";
import {
  confirmVisitor,
  findVisitor,
  isTester,
  recordVisitorUse,
  releaseOfVisitor,
  releasesOfVisitor,
  setNotify,
  type TestedApp,
  type Visitor,
} from "./data/visitors";
import {
  confirmationPage,
  MANIFEST_NAME,
  manifestReply,
  type PageFacts,
  releasePage,
  releasesPage,
  startedPage,
  unavailablePage,
  unsubscribedPage,
  unsubscribePage,
} from "./internal/page";
import { createTesterFeedback } from "./operations/create-tester-feedback";
import { createPushSubscriptionInput } from "./schema";

/** The pages of people without an account, and the links that unsubscribe, by the secret: `/t/<secret>`. */
export const TESTER_PATH = SECRET_PATH;

/** The path to which a mail server forwards returned mails. */
export const RETURNED_MAIL_PATH = "/api/testers/returned-mail";

/** The maximum size of a returned mail, in bytes. Servers return the headers, or the mail with its icon. */
const MAX_RETURNED_BYTES = 512 * 1024;
const RETURNED_LIMIT = { name: "returned-mail", points: 120, seconds: 60 };

/**
 * Takes a mail that was returned to the sender's address. A report marks an address only if it contains the Message-ID
 * of a mail that this console sent to it. The answer is the same for every mail, so it does not reveal who is a tester.
 */
export const handleReturnedMail: Handler = plainRoute(async (request) => {
  const marked = await takeReturnedMail(await readBytes(request, MAX_RETURNED_BYTES), new Date());
  if (marked) log.info("a mail came back: the address of a tester gets no more mails");
  return { status: 204, headers: { "Cache-Control": "no-store" }, body: null };
}, RETURNED_LIMIT);

/** All requests of a network for these pages. */
const PAGE_LIMIT = { name: "tester-page", limit: { points: 600, seconds: 60 } };

/** A request for a page of a person. */
interface Call {
  visitor: Visitor;
  secret: string;
  /** The release in the path; empty if it names none. */
  releaseId: string;
  /** Whether the path has a page of its own, and does not only take what a form sends. */
  hasPage: boolean;
  request: RouteRequest;
  facts: RequestFacts;
}

type Action = (call: Call) => Promise<CompleteReply>;

const notFound = () => new ApiError("not_found", { detailKey: "detailLink" });

const pathOf = ({ secret }: Call, ...rest: string[]) => [`${TESTER_PATH}${secret}`, ...rest].join("/");
function pageFacts(call: Call): PageFacts {
  const { secret, visitor, request, facts, hasPage } = call;
  const page = visitorPage(request, facts.locale, hasPage ? undefined : pathOf(call));
  return { secret, now: facts.now, operator: visitor.operator, ...page };
}
const deviceOfCall = ({ facts, request }: Call) => visitingDevice(facts, saysIpad(request.url));

/** @throws ApiError not_found for a user, or somebody who has not agreed */
function requireConfirmed({ visitor }: Call): void {
  if (!isTester(visitor)) throw notFound();
}

async function show(call: Call): Promise<CompleteReply> {
  const { visitor } = call;
  if (visitor.userId !== null) return seeOther(PAGES.home);
  if (visitor.confirmedAt === null) return confirmationPage(visitor, pageFacts(call));
  const [releases, { publicKey: pushKey }] = await Promise.all([releasesOfVisitor(visitor), pushKeys()]);
  return releasesPage(visitor, releases.map(toRelease), { ...pageFacts(call), pushKey });
}

async function showManifest(call: Call): Promise<CompleteReply> {
  requireConfirmed(call);
  return manifestReply(pageFacts(call));
}

const noContent = (): CompleteReply => ({
  status: 204,
  headers: new Headers({ "Cache-Control": "no-store" }),
  body: null,
});

/** Tells a browser of new releases from now on. */
async function addBrowser(call: Call): Promise<CompleteReply> {
  requireConfirmed(call);
  const { visitor, facts, request } = call;
  const form = await readUrlEncoded(request);
  const [endpoint, p256dh, auth] = ["endpoint", "p256dh", "auth"].map((name) => form.get(name));
  const given = createPushSubscriptionInput.safeParse({ endpoint, keys: { p256dh, auth } });
  if (!given.success) throw new ApiError("validation_failed");
  await db.$transaction(async (tx) => {
    await lockRow(tx, "Tester", visitor.id);
    await subscribe(tx, visitor.id, given.data, { userAgent: facts.userAgent, now: facts.now });
  });
  return noContent();
}

async function removeBrowser(call: Call): Promise<CompleteReply> {
  requireConfirmed(call);
  const endpoint = (await readUrlEncoded(call.request)).get("endpoint") ?? "";
  await db.$transaction((tx) => removeSubscriptions(tx, call.visitor.id, { endpoint }));
  return noContent();
}

async function confirm(call: Call): Promise<CompleteReply> {
  if (call.visitor.userId !== null) throw notFound();
  await confirmVisitor(call.visitor.id, call.facts.now);
  return seeOther(pathOf(call));
}

/** A release that was deleted, or is not given to a group of the visitor. */
class ReleaseUnavailable extends ApiError {
  constructor() {
    super("not_found", { detailKey: "detailLink" });
  }
}

/** @throws ReleaseUnavailable */
async function requireRelease(call: Call): Promise<Release> {
  requireConfirmed(call);
  const row = await releaseOfVisitor(call.visitor, call.releaseId);
  if (!row) throw new ReleaseUnavailable();
  return toRelease(row);
}

/** The same person is the same visitor of a release; who it is does not follow from it. */
const visitorOf = ({ visitor }: Call, releaseId: string): InstallVisitor =>
  namedVisitor("tester", visitor.id, releaseId);

function recordOpened(call: Call, release: Release): void {
  const device = deviceOfCall(call);
  const { now: at } = call.facts;
  const { reasons } = releaseVerdict(releaseInstallFacts(release), device, { now: at, mayDownload: true });
  const visitor = visitorOf(call, release.id);
  const visit = {
    releaseId: release.id,
    visitor,
    at,
    device: browserDevice(device, visitor),
    codes: obstacles(reasons),
  };
  recordStep({ ...visit, step: "opened", hasManifest: true });
}

async function showRelease(call: Call): Promise<CompleteReply> {
  // Somebody who opens the link of a mail before they have agreed is asked first.
  if (call.visitor.userId === null && call.visitor.confirmedAt === null) return show(call);
  const release = await requireRelease(call);
  const { facts, visitor, request } = call;
  const device = deviceOfCall(call);
  const token = new URL(request.url).searchParams.get("install");
  const purpose = Object.values(INSTALL_PURPOSES);
  const begun = token ? await peekToken(db, { purpose, token, subject: release.id, now: facts.now }) : null;
  if (token && begun?.state === "valid") {
    const way = installWayOf(begun.purpose);
    return startedPage(release, { url: installStartUrl(way, token), way }, { ...pageFacts(call), device });
  }
  if (isOpenedByPerson(facts)) {
    const use = { testerId: visitor.id, releaseId: release.id, at: facts.now, installed: false };
    recordOpened(call, release);
    runAfterwards(() => recordVisitorUse(use), facts.requestId);
  }
  const mayBeIpad = installsOnIpad(release, { device, ipad: visitingDevice(facts, true) }, facts.now);
  return releasePage(release, device, { ...pageFacts(call), mayBeIpad });
}

async function install(call: Call): Promise<CompleteReply> {
  const release = await requireRelease(call);
  const { now } = call.facts;
  const device = deviceOfCall(call);
  const { os } = device;
  const isApple = release.installer.kind === "ipa" && (os === "ios" || os === "ipados");
  if (isApple && !release.iosEnabled) throw new ApiError("ios_disabled");
  const purpose = INSTALL_PURPOSES[isApple ? "itms-services" : "download"];
  const visitor = visitorOf(call, release.id);
  const { token } = await issueToken(db, { purpose, subject: release.id, visitor: encodeVisitor(visitor), now });
  const tap = { releaseId: release.id, visitor, at: now, device: browserDevice(device, visitor) };
  recordStep({ ...tap, step: "tapped", hasManifest: isApple });
  await recordVisitorUse({ testerId: call.visitor.id, releaseId: release.id, at: now, installed: true });
  return seeOther(`${pathOf(call, release.id)}?install=${token}`);
}

const feedbackPaths = (call: Call) => ({
  action: pathOf(call, call.releaseId, "feedback"),
  back: pathOf(call, call.releaseId),
});

async function showFeedback(call: Call): Promise<CompleteReply> {
  const release = await requireRelease(call);
  const paths = feedbackPaths(call);
  const isSent = new URL(call.request.url).searchParams.has("sent");
  if (isSent) return thanksPage(pageFacts(call), paths.back);
  return feedbackPage(pageFacts(call), { ...paths, release, tried: null });
}

async function giveFeedback(call: Call): Promise<CompleteReply> {
  await requireRelease(call);
  const { request, facts, secret, releaseId } = call;
  const { sent, failure } = await takePageForm(createTesterFeedback, { request, facts, known: { secret, releaseId } });
  const paths = feedbackPaths(call);
  if (!failure) return seeOther(`${paths.action}?sent=1`);
  const { requestId } = facts;
  return feedbackAgain(pageFacts(call), { ...paths, failure, sent, requestId, tried: null });
}

/** @throws ApiError not_found if the visitor tests no such application */
function requireApp({ visitor }: Call, appId: string | null): TestedApp {
  const app = visitor.apps.find(({ id }) => id === appId);
  if (!app) throw notFound();
  return app;
}

async function setMails(call: Call): Promise<CompleteReply> {
  requireConfirmed(call);
  const form = await readUrlEncoded(call.request);
  const app = requireApp(call, form.get("app"));
  await db.$transaction((tx) => setNotify(tx, call.visitor.id, app.id, form.get("notify") === "on"));
  return seeOther(pathOf(call));
}

const appInQuery = (call: Call) => requireApp(call, new URL(call.request.url).searchParams.get("app"));

async function askToUnsubscribe(call: Call): Promise<CompleteReply> {
  return unsubscribePage(appInQuery(call), pageFacts(call));
}

async function unsubscribe(call: Call): Promise<CompleteReply> {
  const app = appInQuery(call);
  await db.$transaction((tx) => setNotify(tx, call.visitor.id, app.id, false));
  return unsubscribedPage(app, pageFacts(call));
}

type Actions = Readonly<Record<string, Action>>;

const readable = (action: Action): Actions => ({ GET: action, HEAD: action });

/** What is answered below the secret, by the rest of the path. */
const PAGES_OF_TESTER: Readonly<Record<string, Actions>> = {
  "": readable(show),
  confirm: { POST: confirm },
  mails: { POST: setMails },
  push: { POST: addBrowser },
  "push-off": { POST: removeBrowser },
  [MANIFEST_NAME]: readable(showManifest),
  unsubscribe: { ...readable(askToUnsubscribe), POST: unsubscribe },
};
const PAGES_OF_RELEASE: Readonly<Record<string, Actions>> = {
  "": readable(showRelease),
  install: { POST: install },
  feedback: { ...readable(showFeedback), POST: giveFeedback },
};

function actionsOf(parts: readonly string[]): { actions: Actions | undefined; releaseId: string } {
  const [first = "", second = "", ...more] = parts;
  if (more.length > 0) return { actions: undefined, releaseId: "" };
  if (idSchema.safeParse(first).success) {
    return {
      actions: Object.hasOwn(PAGES_OF_RELEASE, second) ? PAGES_OF_RELEASE[second] : undefined,
      releaseId: first,
    };
  }
  const isKnown = second === "" && Object.hasOwn(PAGES_OF_TESTER, first);
  return { actions: isKnown ? PAGES_OF_TESTER[first] : undefined, releaseId: "" };
}

function failurePage(error: unknown, page: VisitorPage, { locale, requestId }: RequestFacts): CompleteReply {
  const failure = toApiError(error);
  if (failure.status >= 500) logFailure(failure, { operation: "tester-page", requestId }, "a page of a tester failed");
  const { title, detail } = problemOf(failure, locale, requestId);
  return visitorProblem(page, { status: failure.status, title, detail, retryAfter: failure.retryAfter });
}

/** Answers the pages of testers without an account, and of the links that unsubscribe. They read no session. */
export const handleTesterPages: Handler = async (request) => {
  const facts = visitorFacts(request);
  const { pathname } = new URL(request.url);
  const [secret = "", ...parts] = pathname.slice(TESTER_PATH.length).split("/");
  const { actions, releaseId } = actionsOf(parts);
  const action = actions?.[request.method];
  if (actions && !action) return wrongMethod(`${TESTER_PATH}…`, Object.keys(actions))(request);
  return measured({ name: "tester-page", request, method: request.method }, async () => {
    const language = chosenLanguage(request);
    if (language) return language;
    const hasPage = actions?.GET !== undefined;
    const found: { call?: Call } = {};
    try {
      await consume({ ...PAGE_LIMIT, key: networkOf(facts.ip) });
      const visitor = action && secret !== "" ? await findVisitor(secret) : null;
      if (!action || !visitor) throw notFound();
      found.call = { visitor, secret, releaseId, hasPage, request, facts };
      return await action(found.call);
    } catch (error) {
      if (error instanceof ReleaseUnavailable && found.call) return unavailablePage(pageFacts(found.call));
      const address = hasPage ? undefined : `${TESTER_PATH}${secret}`;
      return failurePage(error, visitorPage(request, facts.locale, address), facts);
    }
  });
};
