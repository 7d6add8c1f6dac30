import { expect, it } from "vitest";
import { serializeError } from "./log";

it("a lost connection is logged with message and code, without the client that pg attaches to its error", () => {
  const client = { connectionParameters: { password: "harbour" }, password: "harbour" };
  const error = Object.assign(new Error("Connection terminated unexpectedly"), { code: "57P01", client });
  const written = JSON.stringify(serializeError(error));
  expect(JSON.parse(written)).toMatchObject({ message: "Connection terminated unexpectedly", code: "57P01" });
  expect(written).not.toContain("harbour");
  expect(written).not.toContain("client");
});
