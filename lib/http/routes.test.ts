import { expect, it } from "vitest";
import { type Handler, handlerOf } from "./routes";

const named = (): Handler => () => Promise.reject(new Error("not called"));
const [one, sso, otherwise] = [named(), named(), named()];
const routes = {
  byPath: { "/api/apps/one": { methods: ["GET"], handle: one } },
  below: { "/api/sso/": sso },
  otherwise,
  pages: ["/api/docs"],
};

it.each([
  ["the path of a route", "/api/apps/one", one],
  ["a path below another", "/api/sso/signin/google", sso],
  ["a path of the API that has no route", "/api/apps/two", otherwise],
  ["a route's path with an encoded letter", "/api/apps/%6fne", otherwise],
  ["the API's own path", "/api", otherwise],
  ["a name that every object has", "/api/constructor", otherwise],
  ["what follows a page", "/api/docs/x", otherwise],
])("%s has a handler", (_what, path, expected) => {
  expect(handlerOf(routes, path, "GET")).toBe(expected);
});

it.each([
  ["a page", "/api/docs"],
  ["a page elsewhere", "/apiary"],
  ["the start page", "/"],
  ["an object's own name", "constructor"],
  ["a path with a slash at its end, which Next redirects", "/api/apps/one/"],
  ["a path with several slashes, which Next redirects", "//api/apps/one"],
  ["such a path within", "/api//apps/one"],
])("%s is left to Next", (_what, path) => {
  expect(handlerOf(routes, path, "GET")).toBeNull();
});
