/** Parts of a report that are read: the text for people, the fields for programs, and the returned message. */
const MAX_PARTS = 10;
/** Recipients of a report that are read. Each mail of the console has one. */
const MAX_RECIPIENTS = 20;

/** The fields of a header or of a part of a report, by their names in lower case. Of a field that is repeated, the first counts. */
type Fields = ReadonlyMap<string, string>;

/** What a mail server reports of a mail that it could not deliver (RFC 3464). */
interface DeliveryReport {
  /** The Message-ID of that mail, without angle brackets. */
  messageId: string;
  /** The addresses that it can never be delivered to, in lower case. */
  failed: string[];
}

/** Splits a message or part at its first empty line. */
function splitHead(text: string): { fields: Fields; body: string } {
  const end = /\r?\n\r?\n/.exec(text);
  const head = end ? text.slice(0, end.index) : text;
  return { fields: readFields(head), body: end ? text.slice(end.index + end[0].length) : "" };
}

function readFields(text: string): Fields {
  const fields = new Map<string, string>();
  for (const line of text.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/)) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (name !== "" && !fields.has(name)) fields.set(name, line.slice(colon + 1).trim());
  }
  return fields;
}

/** The type of a message or part, in lower case, and a parameter of it. */
function typeOf(fields: Fields): { type: string; parameter: (name: string) => string | null } {
  const [type = "", ...parameters] = (fields.get("content-type") ?? "").split(";");
  return {
    type: type.trim().toLowerCase(),
    parameter(name) {
      const text = parameters.find((one) => one.trim().toLowerCase().startsWith(`${name}=`));
      return (
        text
          ?.slice(text.indexOf("=") + 1)
          .trim()
          .replace(/^"(.*)"$/, "$1") ?? null
      );
    },
  };
}

/** Whether a recipient can never get the mail. 5.7.x (RFC 3463) is a policy, and does not depend on the address. */
function isFailed(fields: Fields): boolean {
  const status = fields.get("status") ?? "";
  return (
    fields.get("action")?.toLowerCase() === "failed" && /^5\.\d{1,3}\.\d{1,3}\b/.test(status) && !/^5\.7\./.test(status)
  );
}

/** The address in a field such as `rfc822; ada@example.com`. */
function addressIn(field: string | undefined): string[] {
  const address = field
    ?.slice(field.indexOf(";") + 1)
    .trim()
    .replace(/^<(.*)>$/, "$1")
    .toLowerCase();
  return address ? [address] : [];
}

/** Reads a report of a mail server. @returns null if it does not report a mail that could not be delivered */
export function readDeliveryReport(message: Uint8Array): DeliveryReport | null {
  const { fields, body } = splitHead(Buffer.from(message).toString("latin1"));
  const { type, parameter } = typeOf(fields);
  const boundary = parameter("boundary");
  if (type !== "multipart/report" || parameter("report-type")?.toLowerCase() !== "delivery-status" || !boundary)
    return null;
  const parts = `\n${body}`
    .split(`\n--${boundary}`, MAX_PARTS + 1)
    .slice(1)
    // The rest of the line of the boundary is no part of it.
    .map((part) => splitHead(part.slice(part.indexOf("\n") + 1)));
  const ofType = (pattern: RegExp) => parts.find((part) => pattern.test(typeOf(part.fields).type))?.body;
  const status = ofType(/^message\/(global-)?delivery-status$/);
  const returned = ofType(/^(message\/(global|rfc822)(-headers)?|text\/rfc822-headers)$/);
  if (status === undefined || returned === undefined) return null;
  const messageId = splitHead(returned)
    .fields.get("message-id")
    ?.replace(/^<(.*)>$/, "$1");
  // The first group is about the mail, each other one about a recipient.
  const recipients = status
    .trim()
    .split(/(?:\r?\n){2,}/, MAX_RECIPIENTS + 1)
    .slice(1)
    .map(readFields);
  const failed = recipients
    .filter(isFailed)
    .flatMap((one) => [...addressIn(one.get("original-recipient")), ...addressIn(one.get("final-recipient"))]);
  return messageId && failed.length > 0 ? { messageId, failed: [...new Set(failed)] } : null;
}
