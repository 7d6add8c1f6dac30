import "server-only";
import { beginForm, consumeAnonymousLimit, consumeRateLimit } from "@/lib/api/rate-limit";
import { writeAudit } from "@/lib/audit/write";
import { peekToken } from "@/lib/auth/one-time-tokens";
import { type CallTurn, inTurn } from "@/lib/auth/turns";
import { db } from "@/lib/db/client";
import { withReserve } from "@/lib/db/reserve";
import { isDatabaseAway } from "@/lib/db/unavailable";
import type { ByteStream } from "@/lib/http/chunks";
import type { ReceivedFile } from "@/lib/http/received-file";
import type { RequestFacts } from "@/lib/http/request-facts";
import { requestDeliveries } from "@/lib/jobs/webhooks";
import { runAfterwards } from "@/lib/kernel/afterwards";
import { ApiError, conflict, type FieldIssue } from "@/lib/kernel/errors";
import { fieldIssues, unstorableTexts } from "@/lib/kernel/issues";
import { metrics } from "@/lib/kernel/metrics";
import type { Actor } from "@/lib/permissions/actor";
import {
  type Access,
  authorizeCaller,
  authorizeTarget,
  authorizeUpload,
  effectiveActor,
  type LinkPurpose,
  type Target,
} from "@/lib/permissions/authorize";
import { authorizeSecondFactor } from "@/lib/permissions/second-factor";
import { discardFiles, type StoredFile } from "@/lib/storage/files";
import { emitEvents } from "@/lib/webhooks/outbox";
import { toApiError } from "./errors";
import { logFailure } from "./failure-log";
import { type AnyTarget, type Operation, operationId, takesJson } from "./operation";
import { type Outcome, run } from "./runners";

/** What an adapter brings: who calls, how the input is read, and the facts of the request. */
export interface Call {
  actor(): Promise<Actor>;
  /** Reads the input. Called once, after the caller was let in. */
  input(files: InputFiles): Promise<unknown>;
  /** Whether the body is a form with a file or a raw upload, whose size only MAX_UPLOAD_BYTES limits. */
  carriesFile: boolean;
  /** The body of a raw upload. */
  body?: { stream: ByteStream; contentLength: number | null };
  /** Ends a command after its `prepare`, which checks the input, and removes the files that it stored. */
  isDryRun?: boolean;
  request: RequestFacts;
}

/** What the reader of an input asks and tells about the files in it. */
interface InputFiles {
  /**
   * Checks whether a file may be stored, by the fields before it.
   * @throws ApiError if it may not
   */
  authorizeUpload(fields: Record<string, unknown>): Promise<void>;
  /** Is told of each file as soon as it is in the store. */
  received(file: ReceivedFile): void;
}

const NO_TARGET: Target = { appId: "", environmentId: null, active: true };

function requireStorable(input: unknown): void {
  const issues = unstorableTexts(input);
  if (issues.length > 0) throw new ApiError("validation_failed", { issues });
}

function parseInput(operation: Operation, raw: unknown): unknown {
  requireStorable(raw);
  // The input is what tells a value of another type from one that is missing.
  const parsed = operation.input.safeParse(raw, { reportInput: true });
  if (!parsed.success) {
    const issues: FieldIssue[] = fieldIssues(parsed.error.issues);
    throw new ApiError("validation_failed", { issues });
  }
  // Texts may have come within a text: a form's metadata is JSON.
  requireStorable(parsed.data);
  return parsed.data;
}

/** What a link was issued for, and for whom. */
type Linked = { subject: string; visitor: string | null };

const NO_LINK: Linked = { subject: "", visitor: null };

/**
 * Finds what a link was issued for.
 * @throws ApiError invalid_token, link_expired
 */
async function findLinked(purpose: LinkPurpose, token: string, now: Date): Promise<Linked> {
  const link = await peekToken(db, { purpose, token, now });
  if (link === null) throw new ApiError("invalid_token", { detailKey: "detailLink" });
  if (link.state !== "valid") throw new ApiError("link_expired");
  return link;
}

/** Loads what a call acts on and checks the caller's right to it, and then their second factor. */
async function loadTarget(operation: Operation, input: unknown, actor: Actor, now: Date): Promise<AnyTarget> {
  const access: Access = operation.access;
  let target: AnyTarget | null = NO_TARGET;
  if (operation.target) {
    const isLink = typeof access === "object" && "link" in access;
    const { subject, visitor } = isLink
      ? await findLinked(access.link, (input as { token: string }).token, now)
      : NO_LINK;
    target = await operation.target(input, db, actor, { now, subject, visitor });
    try {
      authorizeTarget(access, actor, target);
    } catch (error) {
      const isMissing = error instanceof ApiError && error.code === "not_found";
      if (!isMissing || !operation.missingTarget) throw error;
      throw new ApiError("not_found", await operation.missingTarget(input, db, actor));
    }
  }
  authorizeSecondFactor(operation.secondFactor, actor, now, target);
  const isActive = target !== null && "active" in target && target.active;
  if (operation.activeTarget && !isActive) throw conflict(operation.activeTarget, "inactiveTarget");
  return target ?? NO_TARGET;
}

/** Counts a file or part that is being received. @returns ends the count */
function beginReceiving(): () => void {
  const { receiving } = metrics.get();
  receiving.inc();
  return () => receiving.dec();
}

/**
 * Runs one call of one operation in its caller's turn: caller → limit → input (→ limit of anonymous callers) → target → authorization → the operation by its kind → work
 * after the answer. What was stored for a call that fails is removed.
 * @throws ApiError, and nothing else
 */
export async function execute(operation: Operation, call: Call): Promise<Outcome> {
  try {
    const inItsTurn = () => inTurn(call.request, (turn) => executeInTurn(operation, call, turn));
    return await (operation.signsIn ? withReserve(inItsTurn) : inItsTurn());
  } catch (error) {
    throw toFailure(error, call.request);
  }
}

/** A failure as it is answered. */
function toFailure(error: unknown, { signal }: RequestFacts): ApiError {
  const isGone = signal.aborted && error === signal.reason;
  return isGone ? new ApiError("invalid_request", { cause: error }) : toApiError(error);
}

/** @throws ApiError, and nothing else, but while the call waits for its turn */
async function executeInTurn(operation: Operation, call: Call, turn: CallTurn): Promise<Outcome> {
  const stored: StoredFile[] = [];
  const afterwards: (() => Promise<void>)[] = [];
  let endForm: (() => void) | undefined;
  let endReceiving: (() => void) | undefined;
  try {
    const caller = await call.actor();
    await turn.identified(caller);
    const actor = effectiveActor(operation, caller);
    await consumeRateLimit(operation, actor);
    authorizeCaller(operation.access, actor);
    if (call.carriesFile) {
      authorizeUpload(operation.access, actor);
      endReceiving = beginReceiving();
    }
    if (call.carriesFile && operation.kind === "command") endForm = beginForm(actor, call.request);
    const files: InputFiles = {
      authorizeUpload: async (fields) => {
        const targetFields = operation.kind === "command" ? operation.file?.targetFields : undefined;
        if (!targetFields) return;
        requireStorable(fields);
        const named = targetFields.safeParse(fields);
        if (named.success) await turn.within(() => loadTarget(operation, named.data, actor, call.request.now));
      },
      received: (file) => stored.push(file),
    };
    // Of a body, bytes travel.
    const hasBody = call.carriesFile || takesJson(operation);
    const raw = await (hasBody ? turn.aside(() => call.input(files)) : call.input(files));
    const input = parseInput(operation, raw);
    await consumeAnonymousLimit(operation, actor, call.request, input);
    const target = await loadTarget(operation, input, actor, call.request.now);
    const outcome = await run(operation, {
      context: { input, actor, target, request: call.request },
      body: call.body,
      isDryRun: call.isDryRun,
      after: (work) => afterwards.push(work),
      stored: (file) => stored.push(file),
    });
    if (call.isDryRun && stored.length > 0) await discardFiles(stored);
    for (const work of afterwards) runAfterwards(work, call.request.requestId);
    return outcome;
  } catch (error) {
    let failure = toFailure(error, call.request);
    // Each would wait for a connection as long as this one has.
    if (isDatabaseAway(error)) turn.refuseWaiting(failure);
    if (stored.length > 0) await discardFiles(stored);
    try {
      await recordFailure(failure, call.request);
    } catch (unrecorded) {
      failure = toApiError(unrecorded);
    }
    if (failure.status >= 500) {
      const { requestId } = call.request;
      logFailure(failure, { operation: operationId(operation), requestId }, "an operation failed");
    }
    throw failure;
  } finally {
    endForm?.();
    endReceiving?.();
  }
}

/** Writes what is known of a failure that is worth it: the audit record of a failed sign-in, the event of a refused build. */
async function recordFailure(failure: ApiError, request: RequestFacts): Promise<void> {
  const { failureRecord: record, events } = failure;
  if (record) {
    await db.$transaction((tx) =>
      writeAudit(tx, { actor: { kind: "anonymous", expired: false }, request, ...record, changes: {} }),
    );
  }
  if (events.length === 0) return;
  const deliveries = await db.$transaction((tx) => emitEvents(tx, events, request.now));
  if (deliveries > 0) await requestDeliveries();
}
