import "server-only";
import { consumeRateLimit } from "@/lib/api/rate-limit";
import { writeAudit } from "@/lib/audit/write";
import { reloadActor } from "@/lib/auth/actor";
import { type Db, db } from "@/lib/db/client";
import { isRowMissing, violatedColumn } from "@/lib/db/constraints";
import { isDatabaseFull, isDatabaseUnavailable } from "@/lib/db/unavailable";
import type { ByteStream } from "@/lib/http/chunks";
import type { ReceivedFile } from "@/lib/http/received-file";
import type { BinaryReply } from "@/lib/http/reply";
import type { RequestFacts } from "@/lib/http/request-facts";
import { ApiError, conflict, type FieldIssue } from "@/lib/kernel/errors";
import { fieldIssues, unstorableTexts } from "@/lib/kernel/issues";
import { log } from "@/lib/kernel/log";
import type { Actor } from "@/lib/permissions/actor";
import {
  authorizeCaller,
  authorizeTarget,
  authorizeUpload,
  effectiveActor,
  type Target,
} from "@/lib/permissions/authorize";
import { StorageError } from "@/lib/storage/driver";
import { discardFiles, type StoredFile } from "@/lib/storage/files";
import type { Operation } from "./operation";

/** What an adapter brings: who calls, how the input is read, and the facts of the request. */
export interface Call {
  actor(): Promise<Actor>;
  /** Reads the input. Called once, after the caller was let in. */
  input(files: InputFiles): Promise<unknown>;
  /** Whether the body is a form with a file, or an intake's: of a size that only MAX_UPLOAD_BYTES limits. */
  carriesFile: boolean;
  /** The raw body of an intake. */
  body?: { stream: ByteStream; contentLength: number | null };
  request: RequestFacts;
}

/** What the reader of an input asks and tells about the files in it. */
export interface InputFiles {
  /**
   * Whether a file may be taken, as far as the fields before it tell. @throws ApiError where not
   */
  admit(fields: Record<string, unknown>): Promise<void>;
  /** Is told of each file as soon as it is in the store. */
  received(file: ReceivedFile): void;
}

/** What a call did to the browser's session. */
export type SessionEffect = { begin: { token: string; absoluteExpiresAt: Date } } | { end: true } | null;

export interface Outcome {
  status: number;
  /** The parsed output, or the bytes of a download. */
  output: unknown;
  binary: BinaryReply | null;
  session: SessionEffect;
}

const NO_TARGET: Target = { appId: "", environmentId: null, active: true };

/** Puts any failure into the catalogue's words. What is not known is `unexpected`; its cause is for the log alone. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof StorageError) {
    if (error.failure === "full") return new ApiError("storage_full", { cause: error });
    if (error.failure === "missing") return new ApiError("not_found", { cause: error });
    if (error.failure === "too_large")
      return new ApiError("file_too_large", { cause: error, detailKey: "detailPlain" });
    return new ApiError("unavailable", { cause: error, retryAfter: 5 });
  }
  const taken = violatedColumn(error);
  if (taken !== null) return conflict(taken);
  if (isRowMissing(error)) return new ApiError("not_found", { cause: error });
  if (isDatabaseFull(error)) return new ApiError("storage_full", { cause: error });
  if (isDatabaseUnavailable(error)) return new ApiError("unavailable", { cause: error, retryAfter: 2 });
  return new ApiError("unexpected", { cause: error });
}

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

/** Loads what a call acts on and checks the caller's right to it. */
async function admittedTarget(operation: Operation, input: unknown, actor: Actor): Promise<Target> {
  if (!operation.target) return NO_TARGET;
  const target: Target | null = await operation.target(input, db, actor);
  authorizeTarget(operation.access, actor, target);
  if (operation.activeTarget && !target?.active) throw conflict(operation.activeTarget, "inactiveTarget");
  return target ?? NO_TARGET;
}

/**
 * Checks at the end of a command's transaction that its caller is still signed in and still has the right to what was
 * done: minutes may have passed since the first check, while a file arrived. The audit record's lock, which the
 * transaction holds by now, puts commands in one order, so that none is committed after one that took the right away.
 * @throws ApiError as the first check does
 */
async function authorizeAgain(
  tx: Db,
  operation: Operation,
  call: { actor: Actor; target: Target; request: RequestFacts },
): Promise<void> {
  const { actor, target, request } = call;
  if (operation.access === "public" || actor.kind === "anonymous") return;
  const current = await reloadActor(tx, actor, request.now);
  authorizeCaller(operation.access, current);
  if (operation.target) authorizeTarget(operation.access, current, target);
}

/**
 * Runs one call of one operation: caller → limit → parse → load target → authorise → prepare → one transaction with
 * the handler, the audit record and a second authorisation → parse output → after-commit work. Whatever was stored for a call that fails is
 * removed again.
 * @throws ApiError, and nothing else
 */
export async function execute(operation: Operation, call: Call): Promise<Outcome> {
  const stored: StoredFile[] = [];
  const afterwards: (() => Promise<void>)[] = [];
  let session: SessionEffect = null;
  try {
    const actor = effectiveActor(operation.access, await call.actor());
    await consumeRateLimit(operation, actor, call.request);
    authorizeCaller(operation.access, actor);
    if (call.carriesFile) authorizeUpload(operation.access, actor);
    const raw = await call.input({
      admit: async (fields) => {
        const targetFields = operation.kind === "command" ? operation.file?.targetFields : undefined;
        if (!targetFields) return;
        requireStorable(fields);
        const named = targetFields.safeParse(fields);
        if (named.success) await admittedTarget(operation, named.data, actor);
      },
      received: (file) => stored.push(file),
    });
    const input = parseInput(operation, raw);
    const target = await admittedTarget(operation, input, actor);
    const context = { input, actor, target, request: call.request };
    const after = (work: () => Promise<void>) => {
      afterwards.push(work);
    };

    let outcome: Outcome;
    if (operation.kind === "query") {
      const binary = operation.asFile?.reply({ ...context, db, after }) ?? null;
      const output = binary ? null : operation.output.parse(await operation.handler({ ...context, db, after }));
      outcome = { status: binary?.status ?? 200, output, binary, session };
    } else if (operation.kind === "download") {
      const binary = await operation.handler({ ...context, db, after });
      outcome = { status: binary.status, output: null, binary, session };
    } else if (operation.kind === "intake") {
      if (!call.body) throw new ApiError("unsupported_media_type");
      const output = await operation.handler({
        ...context,
        db,
        after,
        body: call.body.stream,
        contentLength: call.body.contentLength,
      });
      outcome = { status: 200, output: operation.output.parse(output), binary: null, session };
    } else {
      const prepared = await operation.prepare?.({ ...context, db, stored: (file) => stored.push(file) });
      const result = await db.$transaction(
        async (tx) => {
          const handled = await operation.handler({
            ...context,
            tx,
            prepared,
            after,
            session: {
              begin: (begin) => {
                session = { begin };
              },
              end: () => {
                session = { end: true };
              },
            },
          });
          // Parsed before the commit: an output that does not fit must not leave a change behind.
          const output = operation.output.parse(handled.output);
          // Last in the transaction, for it takes the lock of the audit chain until the commit.
          await writeAudit(tx, {
            actor,
            request: call.request,
            table: operation.audit.table,
            action: handled.audit.action ?? operation.audit.action,
            recordId: handled.audit.recordId,
            changes: handled.audit.changes,
            userId: handled.audit.userId,
          });
          // A handler that ends or replaces the caller's session has made sure itself that it was still there.
          if (session === null) await authorizeAgain(tx, operation, { actor, target, request: call.request });
          return { output, status: operation.repeatable && handled.repeated ? 200 : operation.status };
        },
        { timeout: 15_000, maxWait: 3_000 },
      );
      outcome = { ...result, binary: null, session };
    }
    for (const work of afterwards) {
      work().catch((error) =>
        log.error({ err: error, requestId: call.request.requestId }, "work after an answer failed"),
      );
    }
    return outcome;
  } catch (error) {
    let failure = toApiError(error);
    if (stored.length > 0) await discardFiles(stored);
    try {
      await recordFailure(failure, call.request);
    } catch (unrecorded) {
      failure = toApiError(unrecorded);
    }
    if (failure.status >= 500) {
      log.error(
        { err: failure.cause, code: failure.code, operation: operation.name, requestId: call.request.requestId },
        "an operation failed",
      );
    }
    throw failure;
  }
}

/** Writes the audit record of a failure that is worth one: a failed sign-in. */
async function recordFailure(failure: ApiError, request: RequestFacts): Promise<void> {
  const record = failure.failureRecord;
  if (!record) return;
  await db.$transaction((tx) =>
    writeAudit(tx, { actor: { kind: "anonymous", expired: false }, request, ...record, changes: {} }),
  );
}
