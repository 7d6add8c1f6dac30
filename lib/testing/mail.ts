import { once } from "node:events";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { findFreePort } from "@/scripts/lib/ports.mjs";

/** How a mail server handles the next mail. */
export type MailFault =
  | "none"
  /** Rejects the recipient temporarily (451). */
  | "later"
  /** Rejects the recipient permanently (550), with the address in the reply. */
  | "never"
  /** Rejects the message permanently (554) after receiving it. */
  | "unwanted"
  /** Rejects the authentication (535). */
  | "no-auth"
  /** Does not reply to the recipient. */
  | "hang"
  /** Closes the connection during the message. */
  | "drop"
  /** Receives the whole message and closes the connection before it replies. */
  | "drop-after";

/** A mail as a server received it. */
export interface ReceivedMail {
  from: string;
  to: string[];
  /** Whether the connection used TLS. */
  secure: boolean;
  /** The authenticated user. */
  user: string | undefined;
  raw: string;
  /** When the whole mail had arrived, in milliseconds since 1970. */
  at: number;
}

/** A real SMTP server on the loopback interface. */
export interface MailServer {
  port: number;
  received: ReceivedMail[];
  /** The number of RCPT commands, of delivered and failed mails. */
  tries: number;
  /** The number of passwords that it received. */
  passwords: number;
  fault: MailFault;
  /** Addresses whose mails it puts off. */
  putOff: Set<string>;
  close(): Promise<void>;
}

function refusal(code: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode: code });
}

/**
 * Starts a mail server.
 * @param options.port by default, a free one
 */
export async function startMailServer(options: SMTPServerOptions & { port?: number } = {}): Promise<MailServer> {
  const { port = await findFreePort("127.0.0.1"), ...more } = options;
  const state: MailServer = {
    port,
    received: [],
    tries: 0,
    passwords: 0,
    fault: "none",
    putOff: new Set(),
    close: async () => {},
  };
  const server = new SMTPServer({
    authOptional: true,
    closeTimeout: 1,
    logger: false,
    onAuth({ username, password }, _session, answer) {
      state.passwords += 1;
      if (state.fault === "no-auth" || password !== "secret") answer(refusal(535, "authentication failed"));
      else answer(null, { user: username });
    },
    onRcptTo({ address }, _session, answer) {
      state.tries += 1;
      if (state.fault === "hang") return;
      if (state.fault === "later" || state.putOff.has(address)) answer(refusal(451, `<${address}> try again later`));
      else if (state.fault === "never") answer(refusal(550, `<${address}> no such user here`));
      else answer();
    },
    onData(stream, session, answer) {
      const chunks: Buffer[] = [];
      const connection = [
        ...(server as unknown as { connections: Set<{ id: string; close(): void }> }).connections,
      ].find(({ id }) => id === session.id);
      if (state.fault === "drop") {
        connection?.close();
        return;
      }
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        if (state.fault === "unwanted") {
          answer(refusal(554, `no mail to <${session.envelope.rcptTo[0]?.address}> from you`));
          return;
        }
        state.received.push({
          from: session.envelope.mailFrom ? session.envelope.mailFrom.address : "",
          to: session.envelope.rcptTo.map(({ address }) => address),
          secure: session.secure,
          user: session.user,
          raw: Buffer.concat(chunks).toString("utf8"),
          at: Date.now(),
        });
        if (state.fault === "drop-after") connection?.close();
        else answer();
      });
    },
    ...more,
  });
  // Clients that disconnect are part of the tests.
  server.on("error", () => {});
  const listening = server.listen(port, "127.0.0.1");
  await once(listening, "listening");
  state.close = () => new Promise((resolve) => server.close(() => resolve()));
  return state;
}

/** A parsed mail. */
export interface ParsedMail {
  /** Header values, unfolded and decoded, by lower-case name. */
  headers: Map<string, string>;
  text: string;
  html: string;
}

function decodeWords(value: string): string {
  return value
    .replace(/(=\?[^?]+\?[BQ]\?[^?]*\?=)\s+(?==\?)/gi, "$1")
    .replace(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_whole, encoding: string, text: string) =>
      encoding.toUpperCase() === "B"
        ? Buffer.from(text, "base64").toString("utf8")
        : fromQuotedPrintable(text.replaceAll("_", " ")),
    );
}

function fromQuotedPrintable(text: string): string {
  const bytes = text
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/gi, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}

function parsePart(raw: string): { headers: Map<string, string>; body: string } {
  const end = raw.indexOf("\r\n\r\n");
  const headers = new Map<string, string>();
  for (const line of raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, " ")
    .split("\r\n")) {
    const [, name, value] = /^([\x21-\x39\x3b-\x7e]+):[ \t]*(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Error(`not a header: ${line}`);
    if (headers.has(name.toLowerCase())) throw new Error(`duplicate header: ${name}`);
    headers.set(name.toLowerCase(), decodeWords(value));
  }
  return { headers, body: raw.slice(end + 4) };
}

function decodedBody({ headers, body }: { headers: Map<string, string>; body: string }): string {
  const encoding = headers.get("content-transfer-encoding");
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8");
  return encoding === "quoted-printable" ? fromQuotedPrintable(body) : body;
}

type Part = ReturnType<typeof parsePart>;

/** The parts of a multipart body. */
function partsOf(body: string, boundary: string): Part[] {
  return body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => parsePart(part.replace(/^\r\n/, "").replace(/\r\n$/, "")));
}

const boundaryOf = ({ headers }: Part, kind: string) =>
  new RegExp(`^multipart/${kind};.*boundary="?([^";]+)"?`).exec(headers.get("content-type") ?? "")?.[1];

/**
 * Parses a mail of text and HTML (RFC 5322, 2045, 2047), which may have images with it (RFC 2387).
 * @throws Error on a malformed or duplicate header, or unless it has exactly one part of each type
 */
export function parseMail(raw: string): ParsedMail {
  const whole = parsePart(raw);
  const { headers, body } = whole;
  const boundary = boundaryOf(whole, "alternative");
  if (!boundary) throw new Error("not multipart/alternative");
  const parts = partsOf(body, boundary).flatMap((part) => {
    const related = boundaryOf(part, "related");
    return related ? partsOf(part.body, related) : [part];
  });
  const of = (type: string) => {
    const found = parts.filter((part) => part.headers.get("content-type") === `${type}; charset=utf-8`);
    if (found.length !== 1) throw new Error(`${found.length} parts of ${type}`);
    return decodedBody(found[0] as (typeof found)[number]);
  };
  return { headers, text: of("text/plain"), html: of("text/html") };
}

/** Returns the one-time link in a mail. @throws Error unless both parts contain the same link */
export function linkIn(mail: ParsedMail): URL {
  const inText = /https?:\/\/\S+\/reset-password\?token=[\w-]{43}\b/.exec(mail.text)?.[0];
  if (!inText || !mail.html.includes(`href="${inText}"`)) throw new Error("no link, or not the same in both parts");
  return new URL(inText);
}
