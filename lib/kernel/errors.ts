import type { ConsoleEvent } from "./events";

/**
 * The HTTP status of each error code. Each code has a title and a detail in `messages/*.json` under `errors.<code>`.
 */
export const ERROR_STATUS = {
  invalid_request: 400,
  invalid_json: 400,
  invalid_nonce: 400,
  not_authenticated: 401,
  invalid_credentials: 401,
  session_expired: 401,
  invalid_otp: 401,
  invalid_passkey: 401,
  invalid_token: 401,
  password_required: 401,
  forbidden: 403,
  two_factor_required: 403,
  two_factor_enrollment_required: 403,
  cross_origin: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  already_set_up: 409,
  two_factor_enabled: 409,
  two_factor_disabled: 409,
  conflict: 409,
  last_admin: 409,
  last_provider: 409,
  provider_not_configured: 409,
  role_reserved: 409,
  ios_disabled: 409,
  link_expired: 410,
  link_ended: 410,
  file_too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  invalid_installer: 422,
  invalid_symbols: 422,
  symbols_mismatch: 422,
  invalid_certificate: 422,
  invalid_license: 422,
  identifier_mismatch: 422,
  version_mismatch: 422,
  rule_violated: 422,
  rate_limited: 429,
  too_many_uploads: 429,
  headers_too_large: 431,
  unexpected: 500,
  provider_failed: 502,
  unavailable: 503,
  storage_full: 507,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** Values for the placeholders of a message. */
export type MessageParams = Record<string, string | number>;

/**
 * An invalid field. `message` is a key below `validation` in the messages, which is translated when the response is created.
 */
export interface FieldIssue {
  path: (string | number)[];
  code: string;
  message: string;
  params?: MessageParams;
}

/** The audit record of a failure that is audited, such as a failed sign-in. */
interface FailureRecord {
  table: string;
  action: string;
  recordId: string | null;
}

/** An error that is returned to the caller. Any other error is returned as `unexpected` and logged. */
export class ApiError extends Error {
  readonly params: MessageParams;
  readonly issues: FieldIssue[];
  /** Seconds after which the caller may retry. */
  readonly retryAfter: number | undefined;
  readonly failureRecord: FailureRecord | undefined;
  /** What webhooks are told of the refusal. */
  readonly events: readonly ConsoleEvent[];
  /** The key of the detail below `errors.<code>`; `detail` by default. */
  readonly detailKey: string;

  constructor(
    readonly code: ErrorCode,
    options: {
      params?: MessageParams;
      issues?: FieldIssue[];
      retryAfter?: number;
      failureRecord?: FailureRecord;
      events?: readonly ConsoleEvent[];
      detailKey?: string;
      cause?: unknown;
    } = {},
  ) {
    super(code, { cause: options.cause });
    this.name = "ApiError";
    this.params = options.params ?? {};
    this.issues = options.issues ?? [];
    this.retryAfter = options.retryAfter;
    this.failureRecord = options.failureRecord;
    this.events = options.events ?? [];
    this.detailKey = options.detailKey ?? "detail";
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** Returns a 422 for one field. `message` is a key below `validation`. */
export function invalidField(path: string, message: string, params?: MessageParams): ApiError {
  return new ApiError("validation_failed", { issues: [{ path: [path], code: message, message, params }] });
}

/** Returns a 409 for a field whose value conflicts with other data. `message` is a key below `validation`. */
export function conflict(field: string, message: string, params?: MessageParams): ApiError {
  return new ApiError("conflict", { params: { field }, issues: [{ path: [field], code: message, message, params }] });
}

/** The messages for values that must be unique, by the field. */
const TAKEN_MESSAGES: Record<string, string> = {
  email: "emailInUse",
  identifier: "identifierTaken",
  key: "keyTaken",
  name: "nameTaken",
};

/** Returns a 409 for a field whose value something else of its kind has. */
export function takenConflict(field: string): ApiError {
  const message = TAKEN_MESSAGES[field] ?? "taken";
  return new ApiError("conflict", { params: { field }, issues: [{ path: [field], code: "taken", message }] });
}
