import { describe, expect, it } from "vitest";
import { freeTop } from "./notification-place";

const area = { top: 64, bottom: 164, left: 1000, right: 1400 };
const button = (top: number, left = 1250) => ({ top, bottom: top + 32, left, right: left + 150 });

describe("freeTop", () => {
  it("keeps the place if nothing is there", () => {
    expect(freeTop(area, [], 600)).toBe(64);
    expect(freeTop(area, [button(80, 100), button(300)], 600)).toBe(64);
  });

  it("is below a button that would be covered", () => {
    expect(freeTop(area, [button(72)], 600)).toBe(112);
  });

  it("is below all buttons that would be covered one after the other, in any order", () => {
    expect(freeTop(area, [button(150), button(72)], 600)).toBe(190);
    expect(freeTop(area, [button(72), button(150), button(500)], 600)).toBe(190);
  });

  it("keeps the place if the window is full of buttons", () => {
    expect(freeTop(area, [button(72), button(150), button(260), button(380)], 300)).toBe(64);
  });
});
