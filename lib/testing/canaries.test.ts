import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { CanaryScanner } from "./canaries";

const text = Buffer.from("line one\n<\"tab\">\tÄ & 100% +/ 'end'");
const binary = randomBytes(32);
const scanner = new CanaryScanner([
  { kind: "text", secret: text },
  { kind: "binary", secret: binary },
]);
const json = JSON.stringify(text.toString());

it.each<[string, string | Buffer]>([
  ["as it is", text],
  ["in hexadecimal", text.toString("hex")],
  ["in uppercase hexadecimal", text.toString("hex").toUpperCase()],
  ["in a URL", encodeURIComponent(text.toString())],
  ["in JSON", json],
  ["in JSON within JSON", JSON.stringify(json)],
  ["in HTML", text.toString().replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")],
  ...["", "a", "ab", "abc"].flatMap((before): [string, string][] => {
    const whole = Buffer.concat([Buffer.from(before), text, Buffer.from("after")]);
    return [
      [`in base64 after ${before.length} bytes`, whole.toString("base64")],
      [`in base64url after ${before.length} bytes`, whole.toString("base64url")],
    ];
  }),
])("finds a secret %s", (_, form) => {
  expect(scanner.scan(Buffer.concat([Buffer.from("before "), Buffer.from(form), Buffer.from(" after")]))).toEqual([
    "text",
  ]);
});

it("finds binary secrets, and those at the end of a text", () => {
  expect(scanner.scan(Buffer.concat([randomBytes(100), binary]))).toEqual(["binary"]);
  expect(scanner.scan(Buffer.from(`\\x${binary.toString("hex")}`))).toEqual(["binary"]);
});

it("finds secrets across the chunks of a stream", async () => {
  const whole = Buffer.concat([randomBytes(1_000), text, randomBytes(1_000), binary]);
  async function* chunks() {
    for (let index = 0; index < whole.length; index += 7) yield whole.subarray(index, index + 7);
  }
  expect((await scanner.scanStream(chunks())).sort()).toEqual(["binary", "text"]);
});

it("finds nothing in other texts", () => {
  expect(scanner.scan(randomBytes(1_000_000))).toEqual([]);
  expect(scanner.scan(Buffer.from("abc"))).toEqual([]);
  expect(scanner.scan(text.subarray(0, text.length - 1))).toEqual([]);
});
