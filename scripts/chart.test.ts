import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { FILE_SETTINGS, SETTING_NAMES } from "@/lib/kernel/env";
import { schemasOf } from "./lib/kubernetes-schemas.mjs";

const CHART = "deploy/helm/slipway";
const EXAMPLES = "deploy/helm/examples";
const read = (path: string) => readFileSync(path, "utf8");
const templates = readdirSync(`${CHART}/templates`).map((file) => read(`${CHART}/templates/${file}`));
const deployment = read(`${CHART}/templates/deployment.yaml`);
const values = parse(read(`${CHART}/values.yaml`));

describe("the chart", () => {
  it("passes only settings that exist", () => {
    const passed = [...deployment.matchAll(/\{ name: ([A-Z][A-Z\d_]+), value/g)].map(([, name]) => name as string);
    expect(passed).toEqual(expect.arrayContaining(["APP_URL", "STORAGE", "S3_ENDPOINT", "S3_BUCKET"]));
    const ofExamples = readdirSync(EXAMPLES).flatMap((file) =>
      Object.keys(parse(read(`${EXAMPLES}/${file}`)).settings ?? {}),
    );
    expect([...passed, ...ofExamples].filter((name) => !SETTING_NAMES.includes(name))).toEqual([]);
  });

  it("names the secrets that the console reads, and contains none", () => {
    const [sentence = ""] = /# A Secret with[^\n]*(\n#[^\n]*)*/.exec(read(`${CHART}/values.yaml`)) ?? [];
    const named = [...sentence.matchAll(/\b[A-Z][A-Z\d]*_[A-Z\d_]+\b/g)].map(([name]) => name);
    expect(named.length).toBeGreaterThan(4);
    expect(named.filter((name) => !(FILE_SETTINGS as readonly string[]).includes(name))).toEqual([]);
    expect(templates.join("\n")).not.toMatch(/kind: Secret\b/);
  });

  it("has a schema with exactly the values, and uses no value that there is not", () => {
    const schema = JSON.parse(read(`${CHART}/values.schema.json`));
    const { global: _global, ...properties } = schema.properties;
    expect(Object.keys(properties).sort()).toEqual(Object.keys(values).sort());
    const used = [...templates.join("\n").matchAll(/\.Values\.([A-Za-z\d]+(?:\.[A-Za-z\d]+)?)/g)].map(
      ([, path]) => path,
    );
    const isKnown = (path: string) => {
      const [first = "", second] = path.split(".");
      return first in values && (second === undefined || second in values[first]);
    };
    expect(used.filter((path) => !isKnown(path as string))).toEqual([]);
  });

  it("asks the console's own addresses for its health and its metrics", () => {
    const paths = new Set([...templates.join("\n").matchAll(/path: (\/api\/\S+?)[,\s]/g)].map(([, path]) => path));
    expect([...paths].sort()).toEqual(["/api/health/live", "/api/health/ready", "/api/metrics"]);
  });

  it("runs without root, capabilities and a writable root", () => {
    for (const line of [
      "runAsNonRoot: true",
      "readOnlyRootFilesystem: true",
      "allowPrivilegeEscalation: false",
      "capabilities: { drop: [ALL] }",
      "automountServiceAccountToken: false",
    ]) {
      expect(deployment).toContain(line);
    }
  });
});

it("schemas of Kubernetes contain what they refer to, and allow no unknown field", () => {
  const kind = { "x-kubernetes-group-version-kind": [{ group: "apps", kind: "Deployment", version: "v1" }] };
  const definitions = {
    Deployment: { type: "object", properties: { spec: { $ref: "#/definitions/Spec" } }, ...kind },
    Spec: { type: "object", properties: { labels: { type: "object", additionalProperties: { type: "string" } } } },
    Other: {},
  };
  const [[name, schema]] = schemasOf({ definitions }) as [[string, Record<string, unknown>]];
  expect(name).toBe("deployment-apps-v1");
  expect(schema).toMatchObject({
    $ref: "#/definitions/Deployment",
    definitions: { Spec: { additionalProperties: false } },
  });
  expect(Object.keys(schema.definitions as object).sort()).toEqual(["Deployment", "Spec"]);
});
