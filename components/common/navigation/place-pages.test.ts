import { describe, expect, it } from "vitest";
import { pagesInSearch } from "./place-pages";

const LABELS = {
  development: "Variables de desarrollo",
  secure: "Variables seguras",
  certificates: "Certificados seguros",
};

describe("pagesInSearch", () => {
  it.each([
    ["variables", ["development", "secure"], ""],
    ["orbit vari staging", ["development", "secure"], "orbit staging"],
    ["VARIABLES seg Orbit", ["secure"], "Orbit"],
    ["certificádos", ["certificates"], ""],
    ["staging", [], "staging"],
    ["de qa", [], "de qa"],
  ])("finds the pages and the place of %j", (search, pages, place) => {
    expect(pagesInSearch(search, LABELS)).toEqual({ pages, place });
  });
});
