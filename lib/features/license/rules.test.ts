import { expect, it } from "vitest";
import { DAY_MS } from "@/lib/kernel/time";
import { licenseTime, NEAR_EXPIRY_DAYS } from "./rules";

const now = new Date("2026-11-22T12:00:00Z");
const in_ = (ms: number) => licenseTime(new Date(now.getTime() + ms), now);

it("a license is valid until its last 30 days, then ends soon, then has expired", () => {
  expect(in_(365 * DAY_MS)).toEqual({ status: "valid", daysLeft: 365 });
  expect(in_(NEAR_EXPIRY_DAYS * DAY_MS + 1)).toEqual({ status: "valid", daysLeft: 31 });
  expect(in_(NEAR_EXPIRY_DAYS * DAY_MS)).toEqual({ status: "near_expiry", daysLeft: 30 });
  expect(in_(1)).toEqual({ status: "near_expiry", daysLeft: 1 });
  expect(in_(0)).toEqual({ status: "expired", daysLeft: 0 });
  expect(in_(-DAY_MS)).toEqual({ status: "expired", daysLeft: 0 });
});
