import "server-only";
import pino from "pino";
import { logLevel } from "./env";

/** Property names whose values are redacted, up to two levels deep. */
const SECRET_NAMES = [
  "password",
  "passwordHash",
  "token",
  "secret",
  "clientSecret",
  "privateKey",
  "value",
  "authorization",
  "cookie",
  "set-cookie",
  "nonce",
];

/** Serializes an error for the log, without the client that pg attaches to the error of a lost connection, which contains the password. */
export function serializeError(error: Error): object {
  const { client: _client, ...written } = pino.stdSerializers.err(error) as pino.SerializedError & { client?: unknown };
  return written;
}

/** The lowest level of errors in pino. */
const ERROR_LEVEL = 50;

let reportLogged: ((error: Error) => void) | undefined;

/** Calls `report` with each error that is logged as one from now on. */
export function onLoggedError(report: (error: Error) => void): void {
  reportLogged = report;
}

/** The log: one JSON line per event on standard output, with secrets redacted. */
export const log = pino({
  level: logLevel(),
  base: undefined,
  timestamp: pino.stdTimeFunctions.isoTime,
  serializers: { err: serializeError },
  hooks: {
    logMethod(args, write, level) {
      const [fields] = args as unknown as [{ err?: unknown } | string];
      if (level >= ERROR_LEVEL && typeof fields === "object" && fields.err instanceof Error) reportLogged?.(fields.err);
      write.apply(this, args);
    },
  },
  redact: {
    paths: SECRET_NAMES.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
    censor: "[redacted]",
  },
});
