import "server-only";
import { seal, unseal } from "@/lib/kernel/crypto/sealed";

/** A secret that was replaced, and until when it still signs messages. */
interface PreviousSecret {
  secret: string;
  until: Date;
}

const place = (id: string) => ({ table: "Webhook", id, column: "previousSecret" });

/** Seals the secrets that were replaced, as `secret,end secret,end`. */
export function sealPreviousSecrets(id: string, secrets: readonly PreviousSecret[]) {
  return seal(secrets.map(({ secret, until }) => `${secret},${until.toISOString()}`).join(" "), place(id));
}

/** The secrets of a webhook that were replaced and still sign messages, the latest first. */
export function validPreviousSecrets(
  webhook: { id: string; previousSecret: Uint8Array | null; previousSecretUntil: Date | null },
  now: Date,
): PreviousSecret[] {
  const { id, previousSecret, previousSecretUntil } = webhook;
  if (!previousSecret || !previousSecretUntil || previousSecretUntil <= now) return [];
  const secrets = unseal(previousSecret, place(id)).toString().split(" ");
  return secrets
    .map((text) => {
      // An earlier version kept a single secret, without its end.
      const [secret = "", end] = text.split(",");
      return { secret, until: end === undefined ? previousSecretUntil : new Date(end) };
    })
    .filter(({ until }) => until > now);
}
