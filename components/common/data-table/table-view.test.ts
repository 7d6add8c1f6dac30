import { describe, expect, it } from "vitest";
import { parseViews } from "./table-view";

describe("parseViews", () => {
  it("returns the views of the pages", () => {
    const views = { "/admin-users": { hidden: ["team"], dense: true }, "/admin-apps": { hidden: [], dense: false } };
    expect(parseViews(JSON.stringify(views))).toEqual(views);
  });

  it("leaves out what is no view", () => {
    for (const text of [null, "", "{", "null", "7", '{"/a":null,"/b":{"hidden":"x"},"/c":{"hidden":[1]}}'])
      expect(parseViews(text)).toEqual({});
  });
});
