import { request } from "node:http";
import { text } from "node:stream/consumers";
import { baseUrl } from "./environment.ts";
import { expect, test } from "./fixtures/test";

test.use({ signedIn: false });

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"];

/** Asks as any HTTP client can: `fetch` sends no `TRACE`. */
function ask(method: string, path: string) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status?: number;
    headers: Record<string, unknown>;
    body: string;
  }>();
  request(`${baseUrl()}${path}`, { method })
    .once("error", reject)
    .once("response", (answer) => {
      text(answer).then((body) => resolve({ status: answer.statusCode, headers: answer.headers, body }), reject);
    })
    .end();
  return promise;
}

test("every path of the API refuses every method that it does not answer, and names those that it does", async () => {
  const { paths } = (await (await fetch(`${baseUrl()}/api/openapi.json`)).json()) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const operations = Object.entries(paths).map(([path, byMethod]): [string, string[]] => {
    const methods = Object.keys(byMethod).map((method) => method.toUpperCase());
    return [path, methods.includes("GET") ? ["GET", "HEAD"] : methods];
  });
  const readable = ["/api/health/live", "/api/health/ready", "/api/metrics", "/api/openapi.json"];
  const routes = [...operations, ...readable.map((path): [string, string[]] => [path, ["GET", "HEAD"]])];
  expect(routes.length).toBeGreaterThan(90);
  for (const [path, right] of routes) {
    const wrong = METHODS.filter((method) => !right.includes(method));
    const answers = await Promise.all(wrong.map((method) => ask(method, path)));
    for (const [index, { status, headers, body }] of answers.entries()) {
      const method = wrong[index];
      expect([method, path, status, headers.allow]).toEqual([method, path, 405, right.join(", ")]);
      expect(headers).toMatchObject({
        "content-type": "application/problem+json",
        "x-request-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
        "x-content-type-options": "nosniff",
      });
      if (method === "HEAD") expect(body).toBe("");
      else expect(JSON.parse(body)).toMatchObject({ code: "method_not_allowed", requestId: headers["x-request-id"] });
    }
  }
});

test("a path of the API that is no operation's is answered 404 with a problem, by whatever method", async () => {
  for (const path of ["/api/auth/get-nothing", "/api/apps/%67et-apps"]) {
    for (const method of METHODS) {
      const { status, headers, body } = await ask(method, path);
      expect([method, status, headers["content-type"]]).toEqual([method, 404, "application/problem+json"]);
      if (method !== "HEAD") expect(JSON.parse(body)).toMatchObject({ code: "not_found" });
    }
  }
});
