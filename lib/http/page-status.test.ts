import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import { ApiError } from "@/lib/kernel/errors";
import { answerPageWith } from "./page-status";
import { createConsoleServer } from "./server/console-server";
import { headersOf } from "./server/listener";

vi.stubEnv("DATABASE_URL", "postgresql://localhost/unused");

/** Answers as Next does with a page that fails: a document without content, in pieces. */
async function answerOf(failure: ApiError, send: (response: ServerResponse) => void): Promise<Response> {
  const server = createConsoleServer((request, response) => {
    answerPageWith(headersOf(request), failure);
    send(response);
  });
  await server.listen(0, "127.0.0.1");
  onTestFinished(() => void server.http.close());
  const { port } = server.http.address() as AddressInfo;
  return fetch(`http://127.0.0.1:${port}/home`, { headers: { "accept-language": "de" } });
}

const EMPTY = ['<!DOCTYPE html><html id="__next_error__"><head></head><body>', "<script></script></body></html>"];

it("a page that fails while the database is away says so without JavaScript, in the language of the browser", async () => {
  const answer = await answerOf(new ApiError("unavailable", { retryAfter: 2 }), (response) => {
    response.statusCode = 500;
    response.write(EMPTY[0]);
    response.end(EMPTY[1]);
  });
  expect(answer.status).toBe(503);
  expect(answer.headers.has("retry-after")).toBe(true);
  expect(await answer.text()).toMatch(
    /<body><noscript><main [^>]+><h1>[^<]+<\/h1><p>Die Datenbank[^<]+<\/p>.*<\/noscript><script>/,
  );
});

it("a page that succeeds after all, and the not-found page, stay as they are", async () => {
  const page = "<html><body><main>ä</main></body></html>";
  const found = await answerOf(new ApiError("unavailable"), (response) => void response.writeHead(200).end(page));
  expect([found.status, await found.text()]).toEqual([200, page]);
  const missing = await answerOf(new ApiError("not_found"), (response) => void response.writeHead(200).end(page));
  expect([missing.status, await missing.text()]).toEqual([404, page]);
});
