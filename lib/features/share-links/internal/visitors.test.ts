import { v4 } from "uuid";
import { expect, it } from "vitest";
import { MAX_VISITS_OF_NETWORK, visitorOf } from "./visitors";

const now = new Date();
const client = (userAgent: string, ip: string) => ({ userAgent, ip, now, headers: new Headers() });
const different = (ids: readonly string[]) => new Set(ids).size;

it("makes a limited number of visitors of one network, whatever its clients call themselves", () => {
  const ids = Array.from({ length: 2 * MAX_VISITS_OF_NETWORK }, (_, index) => {
    return visitorOf("link", client(`browser ${index}`, "192.0.2.1")).visitor.id;
  });
  expect(different(ids)).toBe(MAX_VISITS_OF_NETWORK + 1);
  expect(visitorOf("link", client("browser 0", "192.0.2.1")).visitor.id).toBe(ids[0]);
  expect(ids).not.toContain(visitorOf("link", client("browser 0", "192.0.2.2")).visitor.id);
});

it("makes a limited number of visitors of one network, whatever numbers its forms have", () => {
  const ids = Array.from({ length: 2 * MAX_VISITS_OF_NETWORK }, () => {
    return visitorOf("link", client("browser", "2001:db8::1"), v4()).visitor.id;
  });
  expect(different(ids)).toBe(MAX_VISITS_OF_NETWORK + 1);
});

it("takes the number that the page had for the visit of the page", () => {
  const { visitor, visitId } = visitorOf("link", client("browser", "198.51.100.1"));
  expect(visitorOf("link", client("another", "198.51.100.2"), visitId).visitor).toEqual(visitor);
});
