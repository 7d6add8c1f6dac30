import { z } from "zod";
import { ConsoleClient } from "../testing/console-client";
import { baseUrl } from "../testing/environment.ts";
import { t } from "./fixtures/messages";
import { expect, test } from "./fixtures/test";

type Json = { [key: string]: unknown };

interface MediaTypes {
  [contentType: string]: { schema: Json };
}

interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  security: Json[];
  parameters?: { name: string; in: string; required: boolean; schema: Json }[];
  requestBody?: { content: MediaTypes };
  responses: { [status: string]: { description: string; content?: MediaTypes } };
}

interface OpenApi {
  openapi: string;
  info: { title: string; version: string };
  servers: { url: string }[];
  paths: { [path: string]: { [method: string]: Operation } };
  components: { schemas: { [name: string]: Json }; securitySchemes: { [name: string]: Json } };
}

test.use({ signedIn: false });

/** The headers of the operations of the client API. */
const CLIENT_HEADERS = ["header X-App-Identifier", "header X-Nonce", "header If-None-Match"];

async function readDocument(): Promise<OpenApi> {
  const client = await ConsoleClient.anonymous(baseUrl());
  const response = await client.request.get("/api/openapi.json");
  expect(response.status()).toBe(200);
  expect(response.headers()["content-type"]).toContain("json");
  const document = await response.json();
  await client.dispose();
  return document;
}

function operationsOf(document: OpenApi) {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
}

function schemasOf({ parameters = [], requestBody, responses }: Operation): Json[] {
  const bodies = [requestBody, ...Object.values(responses)].flatMap((body) => Object.values(body?.content ?? {}));
  return [...parameters, ...bodies].map(({ schema }) => schema);
}

/** Returns the rules that an operation breaks. An expectation for each rule and answer would be thousands, which take seconds. */
function faultsOf(
  { components }: OpenApi,
  { path, method, operation }: ReturnType<typeof operationsOf>[number],
): string[] {
  const { summary, security, parameters = [], requestBody, responses } = operation;
  const others = parameters.flatMap((one) => (one.in === "query" ? [] : [`${one.in} ${one.name}`]));
  const headers = path.startsWith("/api/client/") ? CLIENT_HEADERS : [];
  const rules = {
    "a path of the API": /^\/(api\/)?[a-z-]+\/[a-z-]+$/.test(path),
    "a method of the API": ["get", "post", "put"].includes(method),
    "a summary": summary !== "",
    // Some have two: 201 or, where it is there already, 200; a file or a range of it.
    "an answer that is a success": Object.keys(responses).some((status) => status.startsWith("2")),
    "a description of each answer": Object.values(responses).every(({ description }) => description !== ""),
    "declared security schemes": security.flatMap(Object.keys).every((scheme) => scheme in components.securitySchemes),
    "no body with GET": method !== "get" || requestBody === undefined,
    "the headers of its interface": others.join() === headers.join(),
  };
  return Object.entries(rules).flatMap(([rule, isKept]) => (isKept ? [] : [`${method} ${path}: lacks ${rule}`]));
}

/** A schema of the document by itself, with the document's definitions as its own, as a JSON Schema is read. */
function standalone(document: OpenApi, schema: Json): Json {
  const text = JSON.stringify({ ...schema, $defs: document.components.schemas });
  return JSON.parse(text.replaceAll('"#/components/schemas/', '"#/$defs/'));
}

/** All `$ref`s of a part of the document. */
function referencesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "$ref" && typeof inner === "string" ? [inner] : referencesIn(inner),
  );
}

test("the document is OpenAPI 3.1: every operation has a unique name, an answer and a declared security scheme", async () => {
  const document = await readDocument();
  expect(document.openapi).toMatch(/^3\.1\.\d+$/);
  expect(document.info).toMatchObject({ title: expect.any(String), version: expect.any(String) });
  expect(document.servers.map(({ url }) => url)).toEqual([expect.stringContaining(baseUrl())]);
  const operations = operationsOf(document);
  const names = operations.map(({ operation }) => operation.operationId);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThan(30);
  expect(operations.flatMap((one) => faultsOf(document, one))).toEqual([]);
});

test("every reference of the document resolves", async () => {
  const document = await readDocument();
  const references = [...new Set(referencesIn(document))];
  expect(references.length).toBeGreaterThan(0);
  for (const reference of references) {
    const steps = reference.replace(/^#\//, "").split("/");
    const target = steps.reduce<unknown>((value, step) => (value as Json | undefined)?.[step], document);
    expect(target, reference).toBeDefined();
  }
});

test("every schema of the document is a valid JSON Schema", async () => {
  const document = await readDocument();
  const all = operationsOf(document).flatMap(({ operation }) => schemasOf(operation));
  // Most answers that are errors have the same one.
  const schemas = new Map(all.map((schema) => [JSON.stringify(schema), schema]));
  expect(schemas.size).toBeGreaterThan(100);
  for (const [text, schema] of schemas) {
    expect(() => z.fromJSONSchema(standalone(document, schema)), text).not.toThrow();
  }
});

test("the API's answers match the document", async ({ admin, place }) => {
  const document = await readDocument();
  const anonymous = await ConsoleClient.anonymous(baseUrl());
  const answers = [
    { client: admin, path: "/api/auth/get-user-profile" },
    { client: admin, path: "/api/apps/get-apps" },
    { client: admin, path: `/api/apps/get-app?id=${place.appId}` },
    { client: admin, path: `/api/apps/get-environment-app?id=${place.environmentId}` },
    { client: admin, path: `/api/apps/get-testing-deploys?environmentId=${place.environmentId}` },
    { client: admin, path: "/api/config/get-platforms" },
    { client: anonymous, path: "/api/config/get-public-key" },
    { client: anonymous, path: "/api/auth/get-user-profile" },
    { client: admin, path: `/api/apps/get-app?id=${place.environmentId}` },
    { client: admin, path: "/api/apps/get-apps?limit=0" },
  ];
  for (const { client, path } of answers) {
    const response = await client.request.get(path);
    const operation = document.paths[path.split("?", 1)[0] as string]?.get;
    const documented = operation?.responses[String(response.status())];
    expect(documented, `${path} answered ${response.status()}`).toBeDefined();
    const [contentType, { schema }] = Object.entries(documented?.content ?? {})[0] as [string, { schema: Json }];
    expect(response.headers()["content-type"]).toContain(contentType);
    const reader = z.fromJSONSchema(standalone(document, schema));
    expect(reader.safeParse(await response.json()).error, path).toBeUndefined();
  }
  await anonymous.dispose();
});

test("an unknown path of the API answers with a problem, not with a page", async () => {
  const anonymous = await ConsoleClient.anonymous(baseUrl());
  for (const path of ["/api", "/api/auth/get-nothing", "/api/nothing", "/api/auth/email-login/more"]) {
    for (const method of ["GET", "POST", "DELETE"]) {
      const response = await anonymous.request.fetch(path, { method });
      expect([response.status(), response.headers()["content-type"]], path).toEqual([404, "application/problem+json"]);
      expect((await response.json()).code).toBe("not_found");
    }
  }
  await anonymous.dispose();
});

test("the page shows every operation of the document to anyone", async ({ page }) => {
  const operations = operationsOf(await readDocument());
  await page.goto("/api/docs");
  await expect(page.getByRole("heading", { level: 1, name: t("apiDocs.title") })).toBeVisible();
  const links = page.getByRole("main").getByRole("listitem").getByRole("link");
  await expect(links).toHaveCount(operations.length);
  const areas = new Set(operations.map(({ path }) => path.split("/").at(-2)));
  const index = page.getByRole("navigation", { name: t("apiDocs.areas") }).getByRole("link");
  await expect(index).toHaveCount(areas.size);
  await page.getByRole("searchbox", { name: t("apiDocs.search") }).fill("CREATE testing-deploy");
  await page.keyboard.press("Enter");
  await expect(links).toHaveCount(1);
  await links.click();
  await expect(page).toHaveURL("/api/docs?operation=apps/create-testing-deploy");
  await expect(page.getByText("identifier_mismatch").first()).toBeVisible();
  await expect(page.getByText("multipart/form-data").first()).toBeVisible();
  await expect(page.getByRole("region", { name: t("apiDocs.example") })).toContainText("curl --fail-with-body");
});

test("the list is at most 300 kB of HTML, and an operation that is not there is not found", async () => {
  const client = await ConsoleClient.anonymous(baseUrl());
  // As a browser asks for a document.
  const list = await client.request.get("/api/docs", { headers: { "sec-fetch-dest": "document" } });
  expect((await list.body()).length).toBeLessThan(300_000);
  expect((await client.request.get("/api/docs?operation=apps/nothing")).status()).toBe(404);
  await client.dispose();
});
