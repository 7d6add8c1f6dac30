import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type MailServer, parseMail, startMailServer } from "@/lib/testing/mail";
import { type DeliveryError, deliver, smtpOptions } from "./deliver";

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

describe("a delivery by SMTP", () => {
  it("signs in over STARTTLS and hands over one message with a text and an HTML part", async () => {
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

  it("keeps line breaks out of the head: the console's name becomes one line, a subject or address of two is refused", async () => {
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

  it("never takes an address for several", async () => {
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
  ] as const)(
    "that fails (%s) says whether another try is worth while, and nothing of the address",
    async (fault, told) => {
      server.fault = fault;
      const error = await refused(mail, { id: "6" });
      expect(error).toMatchObject(told);
      expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toMatch(/ada|secret|no such user/);
    },
  );

  it("is given up after its time-out when the server does not answer", async () => {
    server.fault = "hang";
    const tries = server.tries;
    const controller = new AbortController();
    const delivery = refused(mail, { id: "7", signal: controller.signal });
    await expect.poll(() => server.tries).toBe(tries + 1);
    controller.abort();
    expect(await delivery).toMatchObject({ permanent: false });
  });

  it("to a server that is away may be tried again", async () => {
    const { port } = server;
    await server.close();
    expect(await refused(mail, { id: "8" })).toMatchObject({ code: "ESOCKET", permanent: false });
    server = await startMailServer({ port });
    await deliver(mail, { id: "8" });
    expect(server.received).toHaveLength(1);
  });

  it("where TLS is needed and not offered gives nothing away, and may be tried again", async () => {
    const { port } = server;
    await server.close();
    server = await startMailServer({ port, disabledCommands: ["STARTTLS"] });
    expect(await refused(mail, { id: "9" })).toMatchObject({ code: "ETLS", permanent: false });
    expect([server.passwords, server.received]).toEqual([0, []]);
  });
});

describe("the way to the mail server", () => {
  it("needs TLS where a password travels, but not on the loopback interface", () => {
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
