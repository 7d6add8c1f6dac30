import "server-only";
import { createHmac, randomBytes } from "node:crypto";

/** What the text of a secret begins with (Standard Webhooks). */
const SECRET_PREFIX = "whsec_";

/** Bytes of a secret. Standard Webhooks asks for 24 to 64. */
const SECRET_BYTES = 32;

/** A new secret of a webhook. */
export function newWebhookSecret(): string {
  return `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString("base64")}`;
}

/**
 * The headers of a message by Standard Webhooks 1.0, with one v1 signature (HMAC-SHA256) for each secret.
 * @param message.at when the message is sent
 * @param secrets those that are valid: the current one and those that were replaced within a day
 */
export function signedHeaders(
  message: { id: string; at: Date; body: string },
  secrets: readonly string[],
): Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string> {
  const timestamp = String(Math.floor(message.at.getTime() / 1_000));
  const content = `${message.id}.${timestamp}.${message.body}`;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(content).digest("base64")}`;
  });
  return { "webhook-id": message.id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
