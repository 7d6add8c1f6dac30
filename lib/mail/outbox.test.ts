import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { env } from "@/lib/kernel/env";
import { parseMail } from "@/lib/testing/mail";
import { deliver } from "./deliver";

process.env.DATABASE_URL = "postgresql://localhost/unused";
process.env.APP_URL = "https://slipway.example.com";

const mail = {
  to: "ada@example.test",
  brand: "Slipway",
  subject: "Hello",
  text: "Hello\n",
  html: "<p>Hello</p>",
};

it("without a mail server, a mail is written to the outbox as one file that only the owner can read, even if sent twice", async () => {
  await Promise.all([deliver(mail, { id: "one" }), deliver(mail, { id: "one" }), deliver(mail, { id: "two" })]);
  const outbox = join(env.DATA_DIR, "outbox");
  expect((await readdir(outbox)).sort()).toEqual(["one.eml", "two.eml"]);
  expect((await stat(outbox)).mode & 0o777).toBe(0o700);
  expect((await stat(join(outbox, "one.eml"))).mode & 0o777).toBe(0o600);
  const { headers, text, html } = parseMail(await readFile(join(outbox, "one.eml"), "utf8"));
  expect(headers.get("from")).toBe("Slipway <no-reply@slipway.example.com>");
  expect(headers.get("message-id")).toBe("<one@slipway.example.com>");
  expect([text.trim(), html.trim()]).toEqual(["Hello", "<p>Hello</p>"]);
});
