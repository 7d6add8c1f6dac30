import "server-only";
import pino from "pino";
import { logLevel } from "./env";

/** Names under which secrets travel; their values are never written, however deep they stand. */
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

/** An error as it is written. pg hangs the whole client on the error of a lost connection, with its settings and password. */
export function writableError(error: Error): object {
  const { client: _client, ...written } = pino.stdSerializers.err(error) as pino.SerializedError & { client?: unknown };
  return written;
}

/** The log: one JSON line an event on standard output, secrets redacted. */
export const log = pino({
  level: logLevel(),
  base: undefined,
  timestamp: pino.stdTimeFunctions.isoTime,
  serializers: { err: writableError },
  redact: {
    paths: SECRET_NAMES.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
    censor: "[redacted]",
  },
});
