import "server-only";
import { createTransport, type SendMailOptions } from "nodemailer";
import { env } from "@/lib/kernel/env";
import { type ComposedMail, oneLine } from "./compose";
import { writeToOutbox } from "./outbox";

/** A mail could not be delivered. The error does not contain the address, the content or the server's reply. */
export class DeliveryError extends Error {
  constructor(
    /** The code of nodemailer, such as ESOCKET, or of the file system. */
    readonly code: string,
    /** The SMTP reply code, if any. */
    readonly responseCode: number | undefined,
    /** Whether a retry would fail, too. */
    readonly permanent: boolean,
    /** Whether the server refuses the address for good, and would refuse every mail to it. */
    readonly addressRefused = false,
    /** Whether the server refuses this mail or its address, and may take others. */
    readonly takesOthers = false,
  ) {
    super(`the mail was not accepted (${[code, responseCode].filter(Boolean).join(" ")})`);
    this.name = "DeliveryError";
  }
}

// Ten steps of an SMTP dialog with these timeouts stay below the time limit of a mail job.
const CONNECT_MS = 10_000;
const IDLE_MS = 30_000;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** What is wrong with the port of an SMTP_URL, for the log of the start; null if nothing is. */
export function smtpPortProblem(smtpUrl: string): string | null {
  const { protocol, port } = new URL(smtpUrl);
  if (protocol === "smtp:" && port === "465") return "SMTP_URL: servers expect TLS at port 465; write smtps://";
  if (protocol === "smtps:" && ["25", "587"].includes(port))
    return `SMTP_URL: servers begin without TLS at port ${port}; write smtp://, which uses STARTTLS`;
  return null;
}

/** Returns nodemailer's options for SMTP_URL. Parameters of the URL take precedence. */
export function smtpOptions(smtpUrl: string) {
  const url = new URL(smtpUrl);
  const local = LOOPBACK.test(url.hostname);
  return {
    url: smtpUrl,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: IDLE_MS,
    // Without TLS, a password could be intercepted.
    ...(url.username && !local && !url.searchParams.has("requireTLS") && { requireTLS: true }),
    // The loopback interface cannot be intercepted, and no CA signs certificates for it.
    ...(local && !url.searchParams.has("tls.rejectUnauthorized") && { tls: { rejectUnauthorized: false } }),
  };
}

/** @throws DeliveryError if a header value contains a line break, which would allow header injection */
function requireOneLine(value: string): string {
  if (/[\r\n\0]/.test(value)) throw new DeliveryError("EHEADER", undefined, true);
  return value;
}

/** @throws DeliveryError unless the value is a single address: nodemailer would send to each address of a list */
function requireOneAddress(value: string): string {
  if (!/^[^\s\p{Cc}<>@,;:"()[\]\\]+@[^\s\p{Cc}<>@,;:"()\\]+$/u.test(value))
    throw new DeliveryError("EHEADER", undefined, true);
  return value;
}

/** A mail with its recipient. */
export interface OutgoingMail extends ComposedMail {
  to: string;
  /** The console's name, as the sender. */
  brand: string;
  /** Where one press unsubscribes from such mails, without a sign-in (RFC 2369, RFC 8058). */
  unsubscribeUrl?: string;
  /** PNG images that the HTML part shows, by their content IDs. */
  images?: readonly { cid: string; png: Uint8Array }[];
}

function messageOf(mail: OutgoingMail, id: string): SendMailOptions {
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
    // The same for each attempt, so that a mail server that has already accepted the mail can detect the duplicate.
    messageId: `<${id}@${host}>`,
    // Prevents out-of-office replies (RFC 3834).
    headers: {
      "Auto-Submitted": "auto-generated",
      "X-Auto-Response-Suppress": "All",
      ...(mail.unsubscribeUrl && { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }),
    },
    ...(mail.unsubscribeUrl && { list: { unsubscribe: requireOneLine(mail.unsubscribeUrl) } }),
    attachments: (mail.images ?? []).map(({ cid, png }) => ({
      cid,
      filename: `${cid}.png`,
      content: Buffer.from(png),
      contentType: "image/png",
      contentDisposition: "inline" as const,
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function toDeliveryError(error: unknown): DeliveryError {
  const { code, responseCode, permanent, command, response } = error as {
    code?: string;
    responseCode?: number;
    permanent?: boolean;
    command?: string;
    response?: string;
  };
  // Only errors of this mail are permanent. An administrator can correct credentials or a missing STARTTLS, and the mail is
  // then sent.
  const isMailError = code === "EENVELOPE" || code === "EMESSAGE";
  const isPermanent = permanent === true && isMailError;
  // 5.7.x (RFC 3463) is a policy, such as one against relaying, and does not depend on the address.
  const isRefused = isPermanent && command === "RCPT TO" && !/\b5\.7\.\d+\b/.test(response ?? "");
  // The server takes none from this sender, or is closing the connection (421).
  const isOfServer = command === "MAIL FROM" || responseCode === 421;
  return new DeliveryError(code ?? "EUNKNOWN", responseCode, isPermanent, isRefused, isMailError && !isOfServer);
}

/**
 * Delivers a mail to the server of SMTP_URL, or writes it to `DATA_DIR/outbox` if SMTP_URL is not set.
 *
 * @param delivery.id the mail's ID, the same for each attempt
 * @param delivery.signal aborts the delivery
 * @returns whether a mail server accepted it
 * @throws DeliveryError
 */
export async function deliver(mail: OutgoingMail, delivery: { id: string; signal?: AbortSignal }): Promise<boolean> {
  const message = messageOf(mail, delivery.id);
  try {
    if (env.SMTP_URL) {
      await createTransport(smtpOptions(env.SMTP_URL)).sendMail({ ...message, signal: delivery.signal });
      return true;
    }
    const { message: bytes } = await createTransport({ streamTransport: true, buffer: true }).sendMail(message);
    await writeToOutbox(bytes as Buffer, delivery.id);
    return false;
  } catch (error) {
    throw toDeliveryError(error);
  }
}
