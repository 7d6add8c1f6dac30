import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type MailServer, parseMail, startMailServer } from "@/lib/testing/mail";
import { type DeliveryError, deliver, smtpOptions, smtpPortProblem } from "./deliver";

let server: MailServer;

beforeAll(async () => {
  server = await startMailServer();
  process.env.DATABASE_URL = "postgresql://localhost/unused";
  process.env.SMTP_URL = `smtp://slipway:secret@localhost:${server.port}?requireTLS=true`;
  process.env.MAIL_FROM = "console@example.test";
});
afterAll(() => server.close());
beforeEach(() => {
  server.fault = "none";
  server.received.length = 0;
});

const mail = {
  to: "ada@example.test",
  brand: "Acme Früh & Söhne",
  subject: "Elige una contraseña — ñandú 🔑",
  text: "Hola\nhttps://example.test/x?a=1&b=2\n",
  html: "<p>Hola</p>",
};

async function refused(...given: Parameters<typeof deliver>): Promise<DeliveryError> {
  return deliver(...given).then(
    () => {
      throw new Error("it was delivered");
    },
    (error: DeliveryError) => error,
  );
}

it.each([
  ["smtp://mail.test:465", "smtps://"],
  ["smtps://u:secret@mail.test:587", "smtp://"],
  ["smtps://mail.test:25", "smtp://"],
])("the port of %s is that of the other protocol", (url, right) => {
  expect(smtpPortProblem(url)).toContain(`write ${right}`);
  expect(smtpPortProblem(url)).not.toContain("secret");
});

it.each(["smtp://mail.test:587", "smtp://mail.test", "smtps://mail.test:465", "smtps://mail.test"])(
  "the port of %s is its own",
  (url) => expect(smtpPortProblem(url)).toBeNull(),
);

describe("a delivery by SMTP", () => {
  it("authenticates over STARTTLS and sends one message with a text and an HTML part", async () => {
    await deliver(mail, { id: "1" });
    expect(server.received).toMatchObject([
      { from: "console@example.test", to: ["ada@example.test"], secure: true, user: "slipway" },
    ]);
    const { headers, text, html } = parseMail(server.received[0]?.raw as string);
    expect(headers.get("from")).toBe("Acme Früh & Söhne <console@example.test>");
    expect(headers.get("to")).toBe("ada@example.test");
    expect(headers.get("subject")).toBe(mail.subject);
    expect(headers.get("message-id")).toBe("<1@localhost>");
    expect(headers.get("auto-submitted")).toBe("auto-generated");
    expect(text.replaceAll("\r\n", "\n").trimEnd()).toBe(mail.text.trimEnd());
    expect(html.trim()).toBe(mail.html);
  });

  it("prevents header injection: line breaks in the console's name are replaced, in a subject or address rejected", async () => {
    await deliver({ ...mail, brand: "Acme\r\nBcc: spy@evil.test\r\n\r\nowned" }, { id: "2" });
    const { headers } = parseMail(server.received[0]?.raw as string);
    expect(headers.get("from")).toContain("Acme Bcc: spy@evil.test owned");
    expect(headers.has("bcc")).toBe(false);
    for (const broken of ["\r\n", "\n", "\r", "\0"]) {
      expect(await refused({ ...mail, subject: `Hi${broken}Bcc: spy@evil.test` }, { id: "3" })).toMatchObject({
        code: "EHEADER",
        permanent: true,
      });
      expect((await refused({ ...mail, to: `a@example.test${broken}Bcc: spy@evil.test` }, { id: "3" })).code).toBe(
        "EHEADER",
      );
    }
    expect(server.received).toHaveLength(1);
  });

  it("rejects anything but a single address", async () => {
    for (const to of ["ada@example.test, spy@evil.test", "x <spy@evil.test>", "g:spy@evil.test;", '"a b"@evil.test']) {
      expect(await refused({ ...mail, to }, { id: "4" }), to).toMatchObject({ code: "EHEADER", permanent: true });
    }
    expect(server.received).toEqual([]);
  });

  it.each([
    ["later", { responseCode: 451, permanent: false }],
    ["never", { responseCode: 550, permanent: true }],
    ["unwanted", { responseCode: 554, permanent: true }],
    ["no-auth", { code: "EAUTH", responseCode: 535, permanent: false }],
    ["drop", { responseCode: undefined, permanent: false }],
    ["drop-after", { responseCode: undefined, permanent: false }],
  ] as const)("that fails (%s) reports whether a retry may succeed, without the address", async (fault, expected) => {
    server.fault = fault;
    const error = await refused(mail, { id: "6" });
    expect(error).toMatchObject(expected);
    // Without the frames of the stack: the paths of files may contain these words.
    const stack = error.stack?.replaceAll(/^ +at .*$/gm, "");
    expect(`${error.message} ${stack} ${JSON.stringify(error)}`).not.toMatch(/ada|secret|no such user/);
  });

  it("is aborted by its signal if the server does not respond", async () => {
    server.fault = "hang";
    const tries = server.tries;
    const controller = new AbortController();
    const delivery = refused(mail, { id: "7", signal: controller.signal });
    await expect.poll(() => server.tries).toBe(tries + 1);
    controller.abort();
    expect(await delivery).toMatchObject({ permanent: false });
  });

  it("to an unavailable server can be retried", async () => {
    const { port } = server;
    await server.close();
    expect(await refused(mail, { id: "8" })).toMatchObject({ code: "ESOCKET", permanent: false });
    server = await startMailServer({ port });
    await deliver(mail, { id: "8" });
    expect(server.received).toHaveLength(1);
  });

  it("to a server without the required STARTTLS sends no password or mail, and can be retried", async () => {
    const { port } = server;
    await server.close();
    server = await startMailServer({ port, disabledCommands: ["STARTTLS"] });
    expect(await refused(mail, { id: "9" })).toMatchObject({ code: "ETLS", permanent: false });
    expect([server.passwords, server.received]).toEqual([0, []]);
  });
});

describe("the connection to the mail server", () => {
  it("requires TLS for a password, except on the loopback interface", () => {
    expect(smtpOptions("smtp://u:p@mail.example.com:587")).toMatchObject({ requireTLS: true });
    expect(smtpOptions("smtp://u:p@mail.example.com:587?requireTLS=false")).not.toHaveProperty("requireTLS");
    expect(smtpOptions("smtp://relay.internal:25")).not.toHaveProperty("requireTLS");
    for (const host of ["localhost", "127.0.0.1", "[::1]"]) {
      const options = smtpOptions(`smtp://u:p@${host}:1025`);
      expect(options).not.toHaveProperty("requireTLS");
      expect(options).toMatchObject({ tls: { rejectUnauthorized: false } });
    }
    for (const host of ["127.0.0.1.example.com", "localhost.example.com", "mail.example.com"]) {
      expect(smtpOptions(`smtp://u:p@${host}`)).not.toHaveProperty("tls");
    }
  });
});
