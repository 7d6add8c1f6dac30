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

/** The log: one JSON line an event on standard output, secrets redacted. */
export const log = pino({
  level: logLevel(),
  base: undefined,
  timestamp: pino.stdTimeFunctions.isoTime,
  redact: {
    paths: SECRET_NAMES.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
    censor: "[redacted]",
  },
});
