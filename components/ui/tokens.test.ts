import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const CSS = readFileSync(new URL("../../app/globals.css", import.meta.url), "utf8");

type Rgb = [number, number, number];

/** Reads the custom properties of a rule of the style sheet as linear-light sRGB, 0 to 1. */
function tokensOf(selector: string): Map<string, Rgb> {
  const start = CSS.indexOf(`\n${selector} {`);
  const block = CSS.slice(start, CSS.indexOf("\n}", start));
  const tokens = new Map<string, Rgb>();
  for (const [, name, l, c, h] of block.matchAll(/--([\w-]+): oklch\(([\d.]+) ([\d.]+) ([\d.]+)\);/g)) {
    tokens.set(name as string, oklchToLinearSrgb(Number(l), Number(c), Number(h)));
  }
  return tokens;
}

/** Conversion of CSS Color 4, §10.9 (OKLCH to linear sRGB), clipped to the gamut. */
function oklchToLinearSrgb(l: number, c: number, h: number): Rgb {
  const a = c * Math.cos((h * Math.PI) / 180);
  const b = c * Math.sin((h * Math.PI) / 180);
  const l3 = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m3 = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s3 = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clip = (value: number) => Math.min(1, Math.max(0, value));
  return [
    clip(4.0767416621 * l3 - 3.3077115913 * m3 + 0.2309699292 * s3),
    clip(-1.2684380046 * l3 + 2.6097574011 * m3 - 0.3413193965 * s3),
    clip(-0.0041960863 * l3 - 0.7034186147 * m3 + 1.707614701 * s3),
  ];
}

/** Contrast ratio of WCAG 2.2. */
function contrast(one: Rgb, other: Rgb): number {
  const luminance = ([r, g, b]: Rgb) => 0.2126 * r + 0.7152 * g + 0.0722 * b;
  const [dark, light] = [luminance(one), luminance(other)].sort((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

const SURFACES = ["background", "card", "popover", "muted", "accent", "sidebar", "sidebar-accent", "highlight"];
const STATUSES = ["success", "warning", "danger", "info"];

const TEXT_PAIRS: [text: string, surface: string][] = [
  ...SURFACES.flatMap((surface): [string, string][] => [
    ["foreground", surface],
    ["muted-foreground", surface],
    ["link", surface],
  ]),
  ...STATUSES.flatMap((status): [string, string][] => [
    [status, `${status}-surface`],
    [status, "card"],
    [status, "background"],
    [status, "popover"],
    ["foreground", `${status}-surface`],
  ]),
  ["sidebar-foreground", "sidebar"],
  ["sidebar-accent-foreground", "sidebar-accent"],
  ["primary-foreground", "primary"],
  ["primary-foreground", "primary-hover"],
  ["destructive-foreground", "destructive"],
  ["destructive-foreground", "destructive-hover"],
];

const BOUNDARY_PAIRS: [boundary: string, surface: string][] = ["background", "card", "popover", "sidebar"].flatMap(
  (surface): [string, string][] => [
    ["input", surface],
    ["ring", surface],
    ["primary", surface],
  ],
);

const PLOT_COLORS = ["first", "second", "third", "fourth", "rest"].map((tone) => `plot-${tone}`);

/** What people see who have no receptors for green (Viénot, Brettel and Mollon 1999). */
const asDeuteranope = ([r, g, b]: Rgb): Rgb => [
  0.29275 * r + 0.70725 * g - 0.02234 * b,
  0.29275 * r + 0.70725 * g - 0.02234 * b,
  b,
];

/** The distance of two colors in OKLab, of which 0.02 is just visible side by side. */
function distance(one: Rgb, other: Rgb): number {
  const lab = ([r, g, b]: Rgb) => {
    const l = Math.cbrt(Math.max(0, 0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b));
    const m = Math.cbrt(Math.max(0, 0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b));
    const s = Math.cbrt(Math.max(0, 0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b));
    return [
      0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
      1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
      0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
    ] as const;
  };
  const [a, b] = [lab(one), lab(other)];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

describe.each([
  ["light", ":root"],
  ["dark", ".dark"],
])("the %s theme", (_, selector) => {
  const tokens = tokensOf(selector);
  const token = (name: string): Rgb => {
    const value = tokens.get(name);
    if (!value) throw new Error(`${selector} has no --${name}`);
    return value;
  };

  it.each(TEXT_PAIRS)("shows %s on %s with the 4.5:1 of WCAG 1.4.3", (text, surface) => {
    expect(contrast(token(text), token(surface))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(PLOT_COLORS)("draws %s on cards and pages with the 3:1 of WCAG 1.4.11", (color) => {
    for (const surface of ["card", "background"]) {
      expect(contrast(token(color), token(surface)), surface).toBeGreaterThanOrEqual(3);
    }
  });

  it.each(PLOT_COLORS.flatMap((one, index) => PLOT_COLORS.slice(index + 1).map((other) => [one, other] as const)))(
    "tells %s from %s, also for people who do not tell red from green",
    (one, other) => {
      expect(distance(token(one), token(other))).toBeGreaterThan(0.12);
      expect(distance(asDeuteranope(token(one)), asDeuteranope(token(other)))).toBeGreaterThan(0.08);
    },
  );

  it.each(BOUNDARY_PAIRS)("draws %s on %s with the 3:1 of WCAG 1.4.11", (boundary, surface) => {
    expect(contrast(token(boundary), token(surface))).toBeGreaterThanOrEqual(3);
  });
});
