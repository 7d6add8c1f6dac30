import { unstable_doesMiddlewareMatch as doesMatch } from "next/experimental/testing/server";
import { expect, it } from "vitest";
import { operations } from "@/lib/operations";
import { config } from "@/proxy";
import { pathOf } from "./operation";

const isProxied = (url: string) => doesMatch({ config, nextConfig: {}, url });

it("the proxy sees pages and no operation: of a body that it sees, Next keeps the first 10 MB and drops the rest", () => {
  expect(["/", "/home", "/api/docs", "/setup?token=x"].filter((url) => !isProxied(url))).toEqual([]);
  expect(["/api", "/api/docs/x", "/api/nothing"].filter(isProxied)).toEqual([]);
  expect(
    Object.values(operations)
      .map(pathOf)
      .filter((path) => isProxied(path)),
  ).toEqual([]);
});

it("the proxy sees every path that is no page of ours either, for Next answers it with the not-found page", () => {
  const paths = ["/brandx", "/_next/image?url=%2Fa", "/_next/x", "/robots.txt", "/sw.js", "/manifest.webmanifest"];
  expect([...paths, "/favicon.icox", "/platforms/x", "/apix"].filter((path) => !isProxied(path))).toEqual([]);
});
