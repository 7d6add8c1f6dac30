import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { exampleCall, exampleOf } from "./example-call";

const uuid = { type: "string", format: "uuid" };

/** What a shell makes of a command: its words. */
const wordsOf = (command: string) =>
  execFileSync("sh", ["-c", `${command.replace(/^curl/, "printf '%s\\n'")}`], {
    env: { ...process.env, SLIPWAY_TOKEN: "slp_1" },
    encoding: "utf8",
  }).split("\n");

describe("exampleOf", () => {
  it("has the required fields, in their formats", () => {
    const schema = {
      properties: {
        id: uuid,
        kind: { enum: ["ios", "android"] },
        count: { type: "integer" },
        emails: { type: "array", items: { type: "string", format: "email" } },
        note: { type: "string" },
      },
      required: ["id", "kind", "count", "emails"],
    };
    expect(exampleOf(schema)).toEqual({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      kind: "ios",
      count: 1,
      emails: ["ada@example.com"],
    });
  });

  it("ends for a schema that contains itself", () => {
    const schema: Parameters<typeof exampleOf>[0] = { required: ["child"] };
    schema.properties = { child: schema };
    expect(JSON.stringify(exampleOf(schema)).length).toBeLessThan(200);
  });
});

describe("exampleCall", () => {
  const call = { bodies: [], parameters: [], open: false };

  it("puts required parameters into the query, and leaves out the others", () => {
    const parameters = [
      { name: "environmentId", place: "query", required: true, schema: uuid },
      { name: "limit", place: "query", required: false, schema: { type: "integer" } },
    ];
    const command = exampleCall(
      { ...call, method: "GET", path: "/api/apps/get-builds", parameters },
      "https://console.example",
    );
    const words = wordsOf(command);
    expect(words[1]).toMatch(/^https:\/\/console\.example\/api\/apps\/get-builds\?environmentId=[\da-f-]{36}$/);
    expect(words).toContain("Authorization: Bearer slp_1");
  });

  it("sends a body as JSON, and a file as a form", () => {
    const json = {
      contentType: "application/json",
      schema: { properties: { name: { type: "string" } }, required: ["name"] },
    };
    const post = exampleCall(
      { ...call, method: "POST", path: "/api/config/create-role", bodies: [json] },
      "https://c.example",
    );
    expect(JSON.parse(wordsOf(post).at(-2) as string)).toEqual({ name: "name" });
    const form = {
      contentType: "multipart/form-data",
      schema: { properties: { file: { type: "string", format: "binary" } }, required: ["file"] },
    };
    const upload = exampleCall(
      { ...call, method: "POST", path: "/api/files/upload-file", bodies: [form] },
      "https://c.example",
    );
    expect(wordsOf(upload)).toContain("file=@app.ipa");
  });

  it("sends no token where everybody may call", () => {
    const open = exampleCall(
      { ...call, method: "GET", path: "/api/config/get-app-config", open: true },
      "https://c.example",
    );
    expect(open).not.toContain("SLIPWAY_TOKEN");
  });
});
