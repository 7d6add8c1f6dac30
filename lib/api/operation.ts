import type { z } from "zod";
import type { Changes } from "@/lib/audit/write";
import type { Db } from "@/lib/db/client";
import type { FormFile } from "@/lib/http/body";
import type { ByteStream } from "@/lib/http/chunks";
import type { RateLimit } from "@/lib/http/rate-limit";
import type { BinaryReply } from "@/lib/http/reply";
import type { RequestFacts } from "@/lib/http/request-facts";
import type { ErrorCode, MessageParams } from "@/lib/kernel/errors";
import type { ConsoleEvent } from "@/lib/kernel/events";
import { type Access, type ActorOf, dependsOnTarget, type OwnedTarget, type Target } from "@/lib/permissions/authorize";
import type { SecondFactorRule } from "@/lib/permissions/second-factor";
import type { FilePurpose, StoredFile } from "@/lib/storage/files";

/** The URL areas of the API. */
export type Area =
  | "auth"
  | "config"
  | "apps"
  | "permissions"
  | "files"
  | "external-services"
  | "client"
  | "trust"
  | "share-links"
  | "feedback"
  | "testers"
  | "retention"
  | "webhooks"
  | "devices"
  | "expiry"
  | "installs";

/**
 * How an operation takes a file: streamed to the store while it arrives. Whatever can be decided by its name and by
 * the fields before it is decided before its first byte; everything else after its last.
 */
export interface FileUpload extends FormFile {
  purpose: FilePurpose;
  /**
   * Those fields of the input that `target` looks at. Where they come before the file, the caller's right is checked
   * before one byte of it is taken.
   */
  targetFields?: z.ZodType;
}

/** What a call acts on as the operation loads it; operations may carry the rows along. */
export type AnyTarget = Target | OwnedTarget;

/** What was not found: a key below `errors.not_found`, with its values. */
export interface MissingTarget {
  detailKey: string;
  params: MessageParams;
}

/** What `target` is given in addition. */
interface TargetCall {
  now: Date;
  /** With a link: what it was issued for, such as the ID of a release. Otherwise empty. */
  subject: string;
  /** With a link: whose installation it was issued for; null if that is not known. */
  visitor: string | null;
}

/**
 * How many calls are taken of each caller. Of anonymous callers, those are counted whose input is well-formed, because a
 * malformed one costs nothing that a counter would save.
 */
type CallLimit = RateLimit & {
  by: "address" | "actor";
  /** The input's field that names who signs in: in a network that is familiar to them, others do not use up their calls. */
  account?: string;
};

/** For all calls of one caller together that leave an audit record and have no limit of their own. */
export const AUDITED_LIMIT: CallLimit = { points: 6_000, seconds: 60, by: "actor" };
export const AUDITED_LIMIT_NAME = "audited";

interface Common<I extends z.ZodType, T extends AnyTarget, Ac extends Access> {
  area: Area;
  /** The last part of the path: verb-noun. */
  name: string;
  summary: string;
  access: Ac;
  /**
   * What a person's second factor has to prove, once they are known to have the access: `enrolled` for what only people
   * with a second factor may see, `recent` for what reveals or exports secrets, `recentIfEnrolled` for what adds or removes
   * a factor or gives access that outlives the session, `inInput` where the input carries the proof. It does not apply to
   * API tokens.
   */
  secondFactor?: SecondFactorRule;
  /**
   * Declares that permissions for groups count here: the operation answers their holders of releases that were distributed to those
   * groups alone. Elsewhere, callers are as if they had no such permission.
   */
  forGroups?: true;
  /**
   * Declares that callers who may only read builds get names of people: who published, added or said what they read. No operation tells
   * them the e-mails, devices or steps of others, which needs a right to change the release.
   */
  namesPeople?: true;
  /** Declares that people sign in by it: no load of others keeps it waiting for a connection (`withReserve`). */
  signsIn?: true;
  input: I;
  /** The codes that it may answer beyond those that its access, input and transport bring by themselves. */
  errors: readonly ErrorCode[];
  /** How many calls are taken, of each address or of each caller. An audited operation that declares none has `AUDITED_LIMIT`. */
  rateLimit?: CallLimit;
  /**
   * Loads what the call acts on from the database, never from what the caller claims: an application or environment for
   * a scope, a row with its owner for `own`, what the link was issued for with `link`. These accesses require it.
   */
  target?(input: z.output<I>, db: Db, actor: ActorOf<Ac>, call: TargetCall): Promise<T | null>;
  /**
   * Says what was not found where `target` finds nothing or the caller may not know of it: the same words for both, so that
   * they disclose nothing.
   */
  missingTarget?(input: z.output<I>, db: Db, actor: ActorOf<Ac>): Promise<MissingTarget>;
  /** The input's field that names an app or environment which must be switched on; another answers 409. */
  activeTarget?: string;
}

export interface HandlerContext<I extends z.ZodType, T extends AnyTarget, Ac extends Access> {
  input: z.output<I>;
  actor: ActorOf<Ac>;
  target: T;
  request: RequestFacts;
}

interface QueryContext<I extends z.ZodType, T extends AnyTarget, Ac extends Access> extends HandlerContext<I, T, Ac> {
  db: Db;
  /** Work that the answer does not wait for. */
  after(work: () => Promise<void>): void;
}

interface CookieContext {
  /** Adds a Set-Cookie value to the answer. */
  setCookie(cookie: string): void;
}

interface PrepareContext<I extends z.ZodType, T extends AnyTarget, Ac extends Access> extends HandlerContext<I, T, Ac> {
  db: Db;
  /** Names a file that was stored, or an upload begun, for this call; it is removed again unless the call succeeds. */
  stored(file: StoredFile): void;
}

export interface CommandContext<I extends z.ZodType, T extends AnyTarget, Ac extends Access, P>
  extends HandlerContext<I, T, Ac> {
  /** The transaction that the audit record is written in too. */
  tx: Db;
  prepared: P;
  /** Work for after the commit; a failure of it is logged and changes nothing. */
  after(work: () => Promise<void>): void;
  session: {
    /** Gives the caller's browser this session, and the name of the device that it is. */
    begin(session: { token: string; absoluteExpiresAt: Date; device?: string }): void;
    /** Takes the session cookie from the caller's browser. */
    end(): void;
  };
}

/** The audit record of an operation. */
interface AuditEntry {
  table: string;
  action: string;
  /**
   * For a read whose handler decides by an `AuditStep` whether it needs a record: then those calls count against
   * `AUDITED_LIMIT` that leave one, and no others.
   */
  stepwise?: true;
}

/** What a call adds to the audit record of its operation. */
export interface AuditShare {
  recordId: string | null;
  changes: Changes;
  /** How the object is called, where the call is about more than the one of `recordId`. */
  recordName?: string;
  action?: string;
  /** The user of a session that the call began. */
  userId?: string;
}

/** What the handler of an audited read answers. */
export interface AuditedRead<Answer> {
  output: Answer;
  /** Null if the answer reveals nothing, such as 304 Not Modified; then no record is written. */
  audit: AuditShare | AuditStep | null;
}

/**
 * Decides whether an audited read needs a record, once it is certain that the answer will be sent.
 * @param record writes the record in a transaction of its own, with the share that is decided on there; null for none.
 *   Where it is not called, the read must be covered by a record that exists.
 */
export type AuditStep = (record: (share: (tx: Db) => Promise<AuditShare | null>) => Promise<void>) => Promise<void>;

type ReadAnswer<A extends AuditEntry | undefined, Answer> = A extends AuditEntry ? AuditedRead<Answer> : Answer;

interface Read<A extends AuditEntry | undefined> {
  method: "GET";
  /**
   * For a read that reveals a secret. The record is committed before the first byte of the answer; if it cannot be
   * written, nothing is answered. The answer is never stored (`Cache-Control: no-store`).
   */
  audit?: A;
}

export interface CommandResult<O> {
  output: O;
  audit: AuditShare;
  /** What webhooks are told of, if the change commits. */
  events?: readonly ConsoleEvent[];
  /** That there was nothing left to do: see the operation's `repeatable`. */
  repeated?: true;
}

export interface Query<
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
  T extends AnyTarget = Target,
  Ac extends Access = Access,
  A extends AuditEntry | undefined = undefined,
> extends Common<I, T, Ac>,
    Omit<Read<A>, "method"> {
  kind: "query";
  output: O;
  /** `POST` with a JSON body for an input that is too long for a URL. */
  method: "GET" | "POST";
  handler(context: QueryContext<I, T, Ac> & CookieContext): Promise<ReadAnswer<NoInfer<A>, z.input<O>>>;
  /**
   * For apps and servers that must be able to tell that an answer is genuine and current: the answer and its problems
   * have a signature (`X-Signature`), the answer has a strong entity tag, and a request that names it (`If-None-Match`) is
   * answered with 304, which is no reveal.
   */
  signed?: true;
  /** The same as a file, where the input asks for one; an audited query has none. */
  asFile?: A extends AuditEntry ? never : QueryFile<I, T, Ac>;
}

/** The answer of a query as a file. */
interface QueryFile<I extends z.ZodType, T extends AnyTarget, Ac extends Access> {
  /** The content types that it may have. */
  contentTypes: readonly string[];
  /** The file; null if the input asks for JSON. */
  reply(context: QueryContext<I, T, Ac>): BinaryReply | null | Promise<BinaryReply | null>;
}

export interface Download<
  I extends z.ZodType = z.ZodType,
  T extends AnyTarget = Target,
  Ac extends Access = Access,
  A extends AuditEntry | undefined = undefined,
> extends Common<I, T, Ac>,
    Read<A> {
  kind: "download";
  /** The content types that it may answer. */
  contentTypes: readonly string[];
  handler(context: QueryContext<I, T, Ac>): Promise<ReadAnswer<NoInfer<A>, BinaryReply>>;
}

export interface Command<
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
  T extends AnyTarget = Target,
  Ac extends Access = Access,
  P = unknown,
> extends Common<I, T, Ac> {
  kind: "command";
  method: "POST";
  output: O;
  /** 201 for a creation, 204 where the output is nothing, 202 where work follows; 200 otherwise. */
  status: 200 | 201 | 202 | 204;
  /** Asked for once more, it finds done what it was to do, and answers 200 with that. */
  repeatable?: true;
  audit: AuditEntry;
  /** The largest JSON body, in bytes, where its input may need more than 64 KiB. */
  maxJsonBytes?: number;
  file?: FileUpload;
  /** Slow work (hashing, reading an installer, storing an icon) that must not sit in the transaction. */
  prepare?(context: PrepareContext<I, T, Ac>): Promise<P>;
  handler(context: CommandContext<I, T, Ac, P>): Promise<CommandResult<z.input<O>>>;
}

/**
 * A part of an upload: raw bytes to the store. It changes no row that is audited, so it is neither query nor command.
 */
export interface RawUpload<
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
  T extends AnyTarget = Target,
  Ac extends Access = Access,
> extends Common<I, T, Ac> {
  kind: "raw-upload";
  method: "PUT";
  output: O;
  /** @param context.contentLength as the request says, in bytes; null if it says none */
  handler(context: QueryContext<I, T, Ac> & { body: ByteStream; contentLength: number | null }): Promise<z.input<O>>;
}

// biome-ignore-start lint/suspicious/noExplicitAny: a handler's parameters are contravariant; only `any` holds them all
interface OperationByKind {
  query: Query<any, any, any, any, any>;
  download: Download<any, any, any, any>;
  command: Command<any, any, any, any, any>;
  "raw-upload": RawUpload<any, any, any, any>;
}
// biome-ignore-end lint/suspicious/noExplicitAny: as above

export type Kind = keyof OperationByKind;

/** An operation of some kinds, its types erased. */
export type OperationOf<K extends Kind> = OperationByKind[K];

/** Any operation, its types erased. */
export type Operation = OperationOf<Kind>;

/** An operation whose calls the audit log records: a command, or a read that says so. */
export type AuditedOperation = Operation & { audit: AuditEntry };

/** Whether the audit log records the calls of an operation. */
export function isAudited(operation: Operation): operation is AuditedOperation {
  return "audit" in operation && operation.audit !== undefined;
}

/** A place without app or environment: what operations without a target are given. */
type NoTarget = Target;

type Define<Op extends { kind: string; method: string }> = Omit<Op, "kind" | "method">;

const FUNCTIONS = ["handler", "prepare", "target", "missingTarget"] as const;

/**
 * Names the functions of an operation after it, as stack traces show them: `createApp`, `createApp.prepare`.
 * @throws Error if the operation loads no target although its access depends on one
 */
function declared<Op extends { name: string; access: Access } & Partial<Record<(typeof FUNCTIONS)[number], unknown>>>(
  operation: Op,
): Op {
  if (dependsOnTarget(operation.access) && !operation.target) {
    throw new Error(`${operation.name} declares an access to a target, and loads none`);
  }
  const name = operation.name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  for (const part of FUNCTIONS) {
    const value = part === "handler" ? name : `${name}.${part}`;
    if (typeof operation[part] === "function") Object.defineProperty(operation[part], "name", { value });
  }
  return operation;
}

/** Declares a read: `GET`, query parameters in, JSON out. */
export function defineQuery<
  I extends z.ZodType,
  O extends z.ZodType,
  Ac extends Access,
  T extends AnyTarget = NoTarget,
  A extends AuditEntry | undefined = undefined,
>(definition: Define<Query<I, O, T, Ac, A>>): Query<I, O, T, Ac, A> {
  return declared({ ...definition, kind: "query", method: "GET" });
}

/** Declares a read whose input is too long for a URL: `POST` with a JSON body in, JSON out, and no audit record. */
export function defineBodyQuery<
  I extends z.ZodType,
  O extends z.ZodType,
  Ac extends Access,
  T extends AnyTarget = NoTarget,
>(definition: Define<Query<I, O, T, Ac>>): Query<I, O, T, Ac> {
  return declared({ ...definition, kind: "query", method: "POST" });
}

/** Declares a read whose answer is bytes: `GET` and `HEAD`. */
export function defineDownload<
  I extends z.ZodType,
  Ac extends Access,
  T extends AnyTarget = NoTarget,
  A extends AuditEntry | undefined = undefined,
>(definition: Define<Download<I, T, Ac, A>>): Download<I, T, Ac, A> {
  return declared({ ...definition, kind: "download", method: "GET" });
}

/** Declares a change: `POST`, a JSON body (or a form where a file travels) in, one audit record with it. */
export function defineCommand<
  I extends z.ZodType,
  O extends z.ZodType,
  Ac extends Access,
  T extends AnyTarget = NoTarget,
  P = undefined,
>(definition: Define<Command<I, O, T, Ac, P>>): Command<I, O, T, Ac, P> {
  return declared({ ...definition, kind: "command", method: "POST" });
}

/** Declares an upload of raw bytes: `PUT`. */
export function defineRawUpload<
  I extends z.ZodType,
  O extends z.ZodType,
  Ac extends Access,
  T extends AnyTarget = NoTarget,
>(definition: Define<RawUpload<I, O, T, Ac>>): RawUpload<I, O, T, Ac> {
  return declared({ ...definition, kind: "raw-upload", method: "PUT" });
}

/** An operation whose input is a JSON body: a command, or a query whose input is too long for a URL. */
export type JsonOperation = Extract<Operation, { kind: "command" }> | (OperationOf<"query"> & { method: "POST" });

/** Whether the input of an operation is a JSON body. */
export function takesJson(operation: Operation): operation is JsonOperation {
  return operation.kind === "command" || (operation.kind === "query" && operation.method === "POST");
}

/** Whether the answers of an operation are signed. */
export function isSigned(operation: Operation): boolean {
  return operation.kind === "query" && operation.signed === true;
}

/** The name of an operation among all. Those for apps and servers share names with those for people. */
export function operationId({ area, name }: Pick<Operation, "area" | "name">): string {
  return area === "client" ? `${area}-${name}` : name;
}

/** The path below the server's root. */
export function pathOf(operation: Pick<Operation, "area" | "name">): string {
  return `/api/${operation.area}/${operation.name}`;
}

/**
 * The limit of an operation's calls.
 * @returns `name`, shared by operations whose calls are counted together; undefined where calls are not counted
 */
export function callLimitOf(operation: Operation): { name: string; limit: CallLimit } | undefined {
  if (operation.rateLimit) return { name: operationId(operation), limit: operation.rateLimit };
  return isAudited(operation) && !operation.audit.stepwise
    ? { name: AUDITED_LIMIT_NAME, limit: AUDITED_LIMIT }
    : undefined;
}

/** What a caller sends. */
export type InputOf<Op> = Op extends { input: infer I extends z.ZodType } ? z.input<I> : never;
/** What a caller gets. */
export type OutputOf<Op> = Op extends { output: infer O extends z.ZodType } ? z.output<O> : never;
