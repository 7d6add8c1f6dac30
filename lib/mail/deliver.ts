import "server-only";
import { createTransport, type SendMailOptions } from "nodemailer";
import { env } from "@/lib/kernel/env";
import { type ComposedMail, oneLine } from "./compose";
import { writeToOutbox } from "./outbox";

/** A mail that could not be handed over. It says why without the address, the words or the server's answer. */
export class DeliveryError extends Error {
  constructor(
    /** nodemailer's word for it, such as ESOCKET, or the file system's. */
    readonly code: string,
    /** The SMTP reply, where there was one. */
    readonly responseCode: number | undefined,
    /** Another try would be refused as well. */
    readonly permanent: boolean,
  ) {
    super(`the mail was not taken (${[code, responseCode].filter(Boolean).join(" ")})`);
    this.name = "DeliveryError";
  }
}

// Ten steps of an SMTP dialogue at this pace stay below the time that the queue gives a mail.
const CONNECT_MS = 10_000;
const IDLE_MS = 30_000;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** How the server of SMTP_URL is spoken to; what the URL's own parameters say goes before it. */
export function smtpOptions(smtpUrl: string) {
  const url = new URL(smtpUrl);
  const local = LOOPBACK.test(url.hostname);
  return {
    url: smtpUrl,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: IDLE_MS,
    // A password must not be coaxed out by a server, or somebody in between, that offers no encryption.
    ...(url.username && !local && !url.searchParams.has("requireTLS") && { requireTLS: true }),
    // Nobody is in between on the loopback interface, and no authority signs certificates for it.
    ...(local && !url.searchParams.has("tls.rejectUnauthorized") && { tls: { rejectUnauthorized: false } }),
  };
}

/** @throws DeliveryError where a line of the head would be more than one (security: header injection) */
function requireOneLine(value: string): string {
  if (/[\r\n\0]/.test(value)) throw new DeliveryError("EHEADER", undefined, true);
  return value;
}

/** @throws DeliveryError where an address is not exactly one: nodemailer would take a list apart and send to each */
function requireOneAddress(value: string): string {
  if (!/^[^\s\p{Cc}<>@,;:"()[\]\\]+@[^\s\p{Cc}<>@,;:"()\\]+$/u.test(value))
    throw new DeliveryError("EHEADER", undefined, true);
  return value;
}

function messageOf(mail: ComposedMail & { to: string; brand: string }, id: string): SendMailOptions {
  const host = new URL(env.APP_URL).hostname;
  const from = env.MAIL_FROM ?? { name: "", address: `no-reply@${host}` };
  const to = requireOneAddress(mail.to);
  return {
    from: { name: from.name || oneLine(mail.brand), address: from.address },
    to: [{ name: "", address: to }],
    envelope: { from: from.address, to: [to] },
    subject: requireOneLine(mail.subject),
    text: mail.text,
    html: mail.html,
    // The same at each try, so that a mail server that took it already can tell.
    messageId: `<${id}@${host}>`,
    // RFC 3834: out-of-office notices do not answer it.
    headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function toDeliveryError(error: unknown): DeliveryError {
  const { code, responseCode, permanent } = error as { code?: string; responseCode?: number; permanent?: boolean };
  // Only what is said of this very mail is for good. Refused credentials or a missing STARTTLS are the administrator's
  // to mend, and the mail goes once they are.
  const ofThisMail = code === "EENVELOPE" || code === "EMESSAGE";
  return new DeliveryError(code ?? "EUNKNOWN", responseCode, permanent === true && ofThisMail);
}

/**
 * Hands a mail to the server of SMTP_URL, or writes it to `DATA_DIR/outbox` where there is none.
 *
 * @param delivery.id of this mail, the same at each try
 * @param delivery.signal gives up
 * @throws DeliveryError
 */
export async function deliver(
  mail: ComposedMail & { to: string; brand: string },
  delivery: { id: string; signal?: AbortSignal },
): Promise<void> {
  const message = messageOf(mail, delivery.id);
  try {
    if (env.SMTP_URL)
      await createTransport(smtpOptions(env.SMTP_URL)).sendMail({ ...message, signal: delivery.signal });
    else {
      const { message: bytes } = await createTransport({ streamTransport: true, buffer: true }).sendMail(message);
      await writeToOutbox(bytes as Buffer, delivery.id);
    }
  } catch (error) {
    throw toDeliveryError(error);
  }
}
