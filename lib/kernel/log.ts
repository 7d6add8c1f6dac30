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

/** The log: one JSON line per event on standard output, with secrets redacted. */
export const log = pino({
  level: logLevel(),
  base: undefined,
  timestamp: pino.stdTimeFunctions.isoTime,
  serializers: { err: serializeError },
  redact: {
    paths: SECRET_NAMES.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
    censor: "[redacted]",
  },
});
