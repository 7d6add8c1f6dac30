import "server-only";
import { Readable } from "node:stream";
import { writeAudit } from "@/lib/audit/write";
import { reloadActor } from "@/lib/auth/actor";
import { type Db, db } from "@/lib/db/client";
import type { ByteStream } from "@/lib/http/chunks";
import type { BinaryReply } from "@/lib/http/reply";
import { requestDeliveries } from "@/lib/jobs/webhooks";
import { ApiError } from "@/lib/kernel/errors";
import type { ConsoleEvent } from "@/lib/kernel/events";
import { keepingTurn } from "@/lib/kernel/turns";
import { authorizeCaller, authorizeTarget, effectiveActor, isOpen } from "@/lib/permissions/authorize";
import { authorizeSecondFactor } from "@/lib/permissions/second-factor";
import type { StoredFile } from "@/lib/storage/files";
import { checkOutput } from "./checked";
import type {
  AuditedOperation,
  AuditedRead,
  AuditShare,
  AuditStep,
  Command,
  HandlerContext,
  Kind,
  Operation,
  OperationOf,
  RawUpload,
} from "./operation";
import { consumeAuditedLimit, consumeDailyRecord } from "./rate-limit";
import { conditionalReply } from "./signed";

/** What a call did to the browser's session. */
type SessionEffect = { begin: { token: string; absoluteExpiresAt: Date; device?: string } } | { end: true } | null;

export interface Outcome {
  status: number;
  /** The parsed output, or the bytes of a download. */
  output: unknown;
  binary: BinaryReply | null;
  session: SessionEffect;
  /** Set-Cookie values of the operation's own. */
  cookies?: readonly string[];
}

/** A call whose caller was authorized and whose input was parsed. */
export interface Run {
  // biome-ignore lint/suspicious/noExplicitAny: the input and the target of any operation
  context: HandlerContext<any, any, any>;
  /** The body of a raw upload. */
  body?: { stream: ByteStream; contentLength: number | null };
  /** Ends a command after its `prepare`. */
  isDryRun?: boolean;
  /** Runs work after the answer. */
  after(work: () => Promise<void>): void;
  /** Names a file to be removed again if the call fails. */
  stored(file: StoredFile): void;
}

type Runner<K extends Kind> = (operation: OperationOf<K>, run: Run) => Promise<Outcome>;

const TRANSACTION = { timeout: 15_000 };

function inTransaction<T>(work: (tx: Db) => Promise<T>): Promise<T> {
  return keepingTurn(() => db.$transaction(work, TRANSACTION));
}

/**
 * Writes the audit record of a call, last in its transaction, because it locks the audit chain until the commit. Then
 * checks the caller again: minutes may have passed since the first check, for example while a file arrived. The lock puts
 * audited calls in one order, so that none is committed after one that took the caller's right away.
 * @param reauthorize false if the handler ended or replaced the caller's session and has checked it itself
 * @returns how many deliveries of events were written
 * @throws ApiError as the first check does
 */
async function recordCall(
  tx: Db,
  operation: AuditedOperation,
  { actor, target, request }: Run["context"],
  { share, events, reauthorize }: { share: AuditShare; events?: readonly ConsoleEvent[]; reauthorize: boolean },
): Promise<number> {
  const { table, action } = operation.audit;
  const place = { appId: target.appId || null, environmentId: target.environmentId || null };
  const deliveries = await writeAudit(tx, { actor, request, table, action, ...share, ...place, events });
  // After the lock of the chain: a transaction that takes it earlier counts in the same order.
  if (actor.kind !== "anonymous") await consumeDailyRecord(tx, actor);
  if (!reauthorize || isOpen(operation.access) || actor.kind === "anonymous") return deliveries;
  const current = effectiveActor(operation, await reloadActor(tx, actor, request.now));
  authorizeCaller(operation.access, current);
  if (operation.target) authorizeTarget(operation.access, current, target);
  // The call itself may have added the caller's first passkey.
  const had = current.kind === "user" && actor.kind === "user" ? { hasPasskey: actor.hasPasskey } : {};
  authorizeSecondFactor(operation.secondFactor, { ...current, ...had }, request.now, target);
  return deliveries;
}

/**
 * Commits the record of an audited read, if it needs one. Called before its answer; if it throws, nothing is answered.
 */
async function recordRead(
  operation: OperationOf<"query" | "download">,
  { context, after }: Run,
  audit: AuditedRead<unknown>["audit"],
): Promise<void> {
  if (audit === null) return;
  const step: AuditStep = typeof audit === "function" ? audit : (record) => record(async () => audit);
  await step(async (decide) => {
    if (operation.audit?.stepwise) await consumeAuditedLimit(context.actor, context.request);
    await inTransaction(async (tx) => {
      const share = await decide(tx);
      if (!share) return;
      const audited = operation as AuditedOperation;
      const deliveries = await recordCall(tx, audited, context, { share, reauthorize: true });
      if (deliveries > 0) after(requestDeliveries);
    });
  });
}

/** What the handler of a read answers: the checked output, and the record that it needs. */
async function handled(
  operation: OperationOf<"query" | "download">,
  run: Run,
  cookies: string[] = [],
): Promise<AuditedRead<unknown>> {
  const setCookie = (cookie: string) => void cookies.push(cookie);
  const answer = await operation.handler({ ...run.context, db, after: run.after, setCookie });
  const { output, audit } = operation.audit ? (answer as AuditedRead<unknown>) : { output: answer, audit: null };
  return { output: operation.kind === "query" ? checkOutput(operation.output, output) : output, audit };
}

async function runQuery(operation: OperationOf<"query">, run: Run): Promise<Outcome> {
  const binary = (await operation.asFile?.reply({ ...run.context, db, after: run.after })) ?? null;
  if (binary) return { status: binary.status, output: null, binary, session: null };
  const cookies: string[] = [];
  const { output, audit } = await handled(operation, run, cookies);
  if (!operation.signed) {
    await recordRead(operation, run, audit);
    return { status: 200, output, binary: null, session: null, cookies };
  }
  const reply = conditionalReply(output, run.context.request.headers);
  if (reply.status === 200) await recordRead(operation, run, audit);
  return { status: reply.status, output: null, binary: reply, session: null };
}

async function runDownload(operation: OperationOf<"download">, run: Run): Promise<Outcome> {
  const { output, audit } = await handled(operation, run);
  const reply = output as BinaryReply;
  try {
    await recordRead(operation, run, audit);
  } catch (error) {
    if (reply.body instanceof Readable) reply.body.destroy();
    throw error;
  }
  const binary = operation.audit ? { ...reply, headers: { ...reply.headers, "Cache-Control": "no-store" } } : reply;
  return { status: binary.status, output: null, binary, session: null };
}

async function runRawUpload(operation: RawUpload, { context, body, after }: Run): Promise<Outcome> {
  if (!body) throw new ApiError("unsupported_media_type");
  const { stream, contentLength } = body;
  const output = await operation.handler({ ...context, db, after, body: stream, contentLength });
  return { status: 200, output: checkOutput(operation.output, output), binary: null, session: null };
}

async function runCommand(operation: Command, { context, isDryRun, after, stored }: Run): Promise<Outcome> {
  const prepared = await operation.prepare?.({ ...context, db, stored });
  if (isDryRun) return { status: 200, output: null, binary: null, session: null };
  return inTransaction(async (tx) => {
    let effect: SessionEffect = null;
    const session = {
      begin: (begin: { token: string; absoluteExpiresAt: Date; device?: string }) => {
        effect = { begin };
      },
      end: () => {
        effect = { end: true };
      },
    };
    const handled = await operation.handler({ ...context, tx, prepared, after, session });
    // Parsed before the commit: an output that does not fit must not leave a change behind.
    const output = checkOutput(operation.output, handled.output);
    const { audit: share, events } = handled;
    const reauthorize = effect === null;
    const deliveries = await recordCall(tx, operation, context, { share, events, reauthorize });
    if (deliveries > 0) after(requestDeliveries);
    const status = operation.repeatable && handled.repeated ? 200 : operation.status;
    return { status, output, binary: null, session: effect };
  });
}

const RUNNERS: { [K in Kind]: Runner<K> } = {
  query: runQuery,
  download: runDownload,
  "raw-upload": runRawUpload,
  command: runCommand,
};

/**
 * Runs a call by the kind of its operation.
 * @throws whatever the handler, the database or the check of the output throws
 */
export function run(operation: Operation, call: Run): Promise<Outcome> {
  // Each runner is in the table under the kind that it takes.
  return (RUNNERS[operation.kind] as Runner<Kind>)(operation, call);
}
