import { describe, expect, it, vi } from "vitest";
import { compileBinaryXml, compileResourceTable } from "../../../testing/android-binary";
import {
  android,
  element,
  resourceIds,
  type SourceAttribute,
  type SourceElement,
  type SourceResource,
} from "../../../testing/android-sources";
import { makeIcon } from "../../../testing/make-icon";
import { processorTimeMs } from "../../../testing/processor-time";
import { decodePng } from "../../image/png";
import type { InstallerIcon } from "../../types";
import { parseResourceTable } from "../resources/binary-table";
import { BinaryXmlError, parseBinaryXml } from "../resources/binary-xml";
import type { ResourceValue } from "../resources/resource-table";
import type { ResourceFiles } from "./drawable";
import { findAndroidIcon } from "./icon";

vi.setConfig({ testTimeout: 30_000 }); // a busy machine takes many times longer

const { signal } = new AbortController();
const RED = 0xffff0000;
const GREEN = 0xff00ff00;
const BLUE = 0xff0000ff;
const WHITE = 0xffffffff;
const SQUARE = "M0 0h100v100h-100z";

/** An app's drawables by path; each is the resource "drawable/<file name without extension>". */
type Drawables = Record<string, SourceElement | Uint8Array>;

function appOf(drawables: Drawables, more: SourceResource[] = [], toPng?: ResourceFiles["toPng"]) {
  const named = (path: string) => path.replace(/^.*\/|\.\w+$/g, "");
  const resources = [
    ...Object.keys(drawables).map((path) => ({
      type: "drawable",
      name: named(path),
      values: [{ value: { string: path } }],
    })),
    ...more,
  ];
  const ids = resourceIds(resources);
  const table = parseResourceTable(compileResourceTable("a.b", resources));
  const files: ResourceFiles = {
    toPng,
    read: async (path) => {
      const content = drawables[path];
      return content === undefined ? null : content instanceof Uint8Array ? content : compileBinaryXml(content, ids);
    },
    parseXml(bytes) {
      try {
        return parseBinaryXml(bytes);
      } catch (error) {
        if (error instanceof BinaryXmlError) return null;
        throw error;
      }
    },
  };
  const value = (name: string): ResourceValue => ({ type: "reference", id: ids.get(name) as number });
  return { find: (...names: string[]) => findAndroidIcon(names.map(value), table, files, signal) };
}

const path = (attributes: SourceAttribute[], data = SQUARE) =>
  element("path", [android("pathData", { string: data }), ...attributes]);
const fill = (argb: number) => android("fillColor", { color: argb });
const vector = (children: SourceElement[], attributes: SourceAttribute[] = []) =>
  element(
    "vector",
    [
      android("width", { dimension: 48 }),
      android("height", { dimension: 48 }),
      android("viewportWidth", { float: 100 }),
      android("viewportHeight", { float: 100 }),
      ...attributes,
    ],
    children,
  );
const layers = (background: string, foreground: string) =>
  element(
    "adaptive-icon",
    [],
    [
      element("background", [android("drawable", { reference: background })]),
      element("foreground", [android("drawable", { reference: foreground })]),
    ],
  );

/** The colour, 0xAARRGGBB, of an icon at a place from 0 to 1. */
async function colorAt(icon: InstallerIcon | null, x: number, y: number): Promise<number> {
  if (!icon) throw new Error("no icon");
  const { width, height, rgba } = await decodePng(icon.bytes);
  const at = 4 * (Math.floor(y * height) * width + Math.floor(x * width));
  const [red, green, blue, alpha] = rgba.subarray(at, at + 4) as unknown as [number, number, number, number];
  return ((alpha << 24) | (red << 16) | (green << 8) | blue) >>> 0;
}

const draw = (root: SourceElement, drawables: Drawables = {}, more: SourceResource[] = []) =>
  appOf({ "res/icon.xml": root, ...drawables }, more).find("drawable/icon");

describe("the icon of an Android app", () => {
  it("is an image file", async () => {
    const png = makeIcon({ size: 48 });
    expect(await appOf({ "res/icon.png": png }).find("drawable/icon")).toEqual({
      bytes: png,
      contentType: "image/png",
      width: 48,
      height: 48,
    });
  });

  it("is the next candidate when a file is missing, damaged or not an image", async () => {
    const app = appOf({
      "res/broken.png": makeIcon({ size: 48 }).subarray(0, 40),
      "res/text.png": Buffer.from("no image"),
      "res/round.png": makeIcon({ size: 72 }),
    });
    expect(await app.find("drawable/broken", "drawable/text", "drawable/round")).toMatchObject({ width: 72 });
    expect(await app.find("drawable/broken", "drawable/text")).toBeNull();
  });

  it("is drawn from the layers of an adaptive icon, cropped to the visible area", async () => {
    // Of 108 the foreground covers from 0 to 36: half of that is beyond the edge of what is shown.
    const icon = await draw(
      layers("color/ground", "drawable/third"),
      { "res/third.xml": vector([path([fill(WHITE)], "M0 0h33.33v100h-33.33z")]) },
      [{ type: "color", name: "ground", values: [{ value: { color: BLUE } }] }],
    );
    expect(icon).toMatchObject({ contentType: "image/png", width: 192, height: 192 });
    expect(await colorAt(icon, 0.1, 0.5)).toBe(WHITE);
    expect(await colorAt(icon, 0.2, 0.5)).toBe(WHITE);
    expect(await colorAt(icon, 0.3, 0.5)).toBe(BLUE);
    expect(await colorAt(icon, 0.99, 0.99)).toBe(BLUE);
  });

  it("may have images of any size as layers", async () => {
    const icon = await draw(layers("drawable/back", "drawable/front"), {
      "res/back.png": makeIcon({ size: 16, channels: 3, hue: 0 }),
      "res/front.png": makeIcon({ size: 432 }),
    });
    // The generator draws a white disc in the middle.
    expect(await colorAt(icon, 0.5, 0.5)).toBe(WHITE);
    expect(await colorAt(icon, 0.01, 0.01)).not.toBe(WHITE);
  });

  it("has layers in other formats, which are converted", async () => {
    const webp = Buffer.alloc(30);
    webp.write("RIFF....WEBPVP8X", "latin1");
    webp.writeUIntLE(107, 24, 3);
    webp.writeUIntLE(107, 27, 3);
    const converted: Uint8Array[] = [];
    const toPng = async (image: Uint8Array) => {
      converted.push(image);
      return makeIcon({ size: 108 });
    };
    const files = { "res/icon.xml": layers("color/ground", "drawable/front"), "res/front.webp": webp };
    const ground: SourceResource = { type: "color", name: "ground", values: [{ value: { color: BLUE } }] };
    // The generator draws a white disc in the middle.
    expect(await colorAt(await appOf(files, [ground], toPng).find("drawable/icon"), 0.5, 0.5)).toBe(WHITE);
    expect(converted).toEqual([webp]);
    expect(await appOf(files, [ground], async () => null).find("drawable/icon")).toBeNull();
    expect(await appOf(files, [ground]).find("drawable/icon")).toBeNull();
  });

  it("has its foreground where the background is a colour of the device", async () => {
    const front = { "res/front.xml": vector([path([fill(WHITE)], "M40 40h20v20h-20z")]) };
    const root = layers("color/accent", "drawable/front");
    const accent: SourceResource = { type: "color", name: "accent", values: [{ value: { reference: 0x0106003c } }] };
    const icon = await draw(root, front, [accent]);
    expect(await colorAt(icon, 0.5, 0.5)).toBe(WHITE);
    expect((await colorAt(icon, 0.05, 0.05)) >>> 24).toBe(0xff);
  });

  it("is the image for older systems when a layer is not supported", async () => {
    const themed = layers("drawable/back", "drawable/front");
    const drawables = {
      "res/adaptive.xml": themed,
      "res/back.xml": vector([path([android("fillColor", { reference: 0x7f990000 })])]),
      "res/front.xml": vector([path([fill(WHITE)], "M40 40h20v20h-20z")]),
      "res/legacy.png": makeIcon({ size: 96 }),
    };
    const icon = (values: string[]): SourceResource => ({
      type: "mipmap",
      name: "ic",
      values: values.map((string, index) => ({ config: { density: index === 0 ? 0xfffe : 320 }, value: { string } })),
    });
    const both = appOf(drawables, [icon(["res/adaptive.xml", "res/legacy.png"])]);
    expect(await both.find("mipmap/ic")).toMatchObject({ width: 96 });
    const alone = appOf(drawables, [icon(["res/adaptive.xml"])]);
    expect(await colorAt(await alone.find("mipmap/ic"), 0.5, 0.5)).toBe(WHITE);
  });

  it("is null when layers are missing or reference themselves", async () => {
    expect(await draw(element("adaptive-icon"))).toBeNull();
    expect(await draw(layers("drawable/icon", "drawable/icon"))).toBeNull();
    expect(await draw(element("unknown"))).toBeNull();
  });
});

describe("a vector", () => {
  it("is centred with its proportions", async () => {
    const wide = element(
      "vector",
      [
        android("width", { dimension: 96 }),
        android("height", { dimension: 48 }),
        android("viewportWidth", { float: 100 }),
        android("viewportHeight", { float: 100 }),
      ],
      [path([fill(RED)])],
    );
    const icon = await draw(wide);
    expect(await colorAt(icon, 0.5, 0.3)).toBe(RED);
    expect(await colorAt(icon, 0.5, 0.2)).toBe(0);
  });

  it("transforms its groups around their pivots", async () => {
    const corner = path([fill(RED)], "M0 0h50v50h-50z");
    const group = (attributes: SourceAttribute[]) => vector([element("group", attributes, [corner])]);
    const moved = await draw(group([android("translateX", { float: 50 }), android("translateY", { float: 50 })]));
    expect([await colorAt(moved, 0.75, 0.75), await colorAt(moved, 0.25, 0.25)]).toEqual([RED, 0]);
    const turned = await draw(
      group([android("rotation", { float: 90 }), android("pivotX", { float: 50 }), android("pivotY", { float: 50 })]),
    );
    expect([await colorAt(turned, 0.75, 0.25), await colorAt(turned, 0.25, 0.25)]).toEqual([RED, 0]);
    const scaled = await draw(group([android("scaleX", { float: 2 }), android("scaleY", { float: 0.5 })]));
    expect([await colorAt(scaled, 0.9, 0.2), await colorAt(scaled, 0.9, 0.3)]).toEqual([RED, 0]);
  });

  it("clips the following elements of the same group", async () => {
    const clip = element("clip-path", [android("pathData", { string: "M0 0h50v100h-50z" })]);
    const icon = await draw(
      vector([element("group", [], [clip, path([fill(RED)])]), path([fill(BLUE)], "M80 0h20v100h-20z")]),
    );
    expect(await Promise.all([0.25, 0.6, 0.9].map((x) => colorAt(icon, x, 0.5)))).toEqual([RED, 0, BLUE]);
  });

  it("draws strokes, holes and transparency", async () => {
    const ring = "M10 10h80v80h-80zM30 30h40v40h-40z";
    const icon = await draw(
      vector([
        path([fill(GREEN), android("fillType", { integer: 1 }), android("fillAlpha", { float: 0.5 })], ring),
        path([android("strokeColor", { color: RED }), android("strokeWidth", { float: 10 })], "M0 50h100"),
      ]),
    );
    expect(await colorAt(icon, 0.2, 0.2)).toBe(0x8000ff00);
    expect(await colorAt(icon, 0.5, 0.4)).toBe(0);
    expect(await colorAt(icon, 0.5, 0.5)).toBe(RED);
  });

  it("applies its tint and alpha", async () => {
    const icon = await draw(
      vector([path([fill(RED)])], [android("tint", { color: BLUE }), android("alpha", { float: 0.5 })]),
    );
    expect(await colorAt(icon, 0.5, 0.5)).toBe(0x800000ff);
  });

  it.each([
    ["linear", [android("startX", { float: 0 }), android("endX", { float: 100 })], 0.02, 0.98],
    [
      "radial",
      [
        android("type", { integer: 1 }),
        android("centerX", { float: 0 }),
        android("centerY", { float: 50 }),
        android("gradientRadius", { float: 100 }),
      ],
      0.02,
      0.98,
    ],
    [
      "sweep",
      [android("type", { integer: 2 }), android("centerX", { float: 50 }), android("centerY", { float: 50 })],
      0.9,
      0.9,
    ],
  ] as const)("is painted with a %s gradient", async (kind, attributes, start, end) => {
    const gradient = element(
      "gradient",
      [...attributes],
      [
        element("item", [android("offset", { float: 0 }), android("color", { color: RED })]),
        element("item", [android("offset", { float: 1 }), android("color", { color: BLUE })]),
      ],
    );
    const icon = await draw(vector([path([android("fillColor", { reference: "drawable/paint" })])]), {
      "res/paint.xml": gradient,
    });
    const [first, last] = [await colorAt(icon, start, 0.51), await colorAt(icon, end, kind === "sweep" ? 0.49 : 0.51)];
    expect((first >>> 16) & 0xff).toBeGreaterThan(240);
    expect(last & 0xff).toBeGreaterThan(240);
    const middle = await colorAt(icon, kind === "sweep" ? 0.05 : 0.5, 0.5);
    expect(Math.abs(((middle >>> 16) & 0xff) - (middle & 0xff))).toBeLessThan(16);
  });

  it("uses the default of a state list, and colours of the framework", async () => {
    const list = element(
      "selector",
      [],
      [
        element("item", [
          { name: "state_pressed", id: 0x010100a7, value: { boolean: true } },
          android("color", { color: RED }),
        ]),
        element("item", [android("color", { color: GREEN })]),
      ],
    );
    const icon = await draw(
      vector([
        path([android("fillColor", { reference: "drawable/list" })], "M0 0h50v100h-50z"),
        path([android("fillColor", { reference: 0x0106000b })], "M50 0h50v100h-50z"),
      ]),
      { "res/list.xml": list },
    );
    expect([await colorAt(icon, 0.25, 0.5), await colorAt(icon, 0.75, 0.5)]).toEqual([GREEN, WHITE]);
  });
});

describe("other drawables", () => {
  const square = vector([path([fill(RED)])]);

  it("are turned around their pivots", async () => {
    const left = vector([path([fill(RED)], "M0 0h50v100h-50z")]);
    const turned = (degrees: number) =>
      element("rotate", [
        android("drawable", { reference: "drawable/left" }),
        android("fromDegrees", { float: degrees }),
      ]);
    const icon = await draw(turned(90), { "res/left.xml": left });
    expect([await colorAt(icon, 0.5, 0.25), await colorAt(icon, 0.5, 0.75)]).toEqual([RED, 0]);
    const straight = await draw(turned(360), { "res/left.xml": left });
    expect([await colorAt(straight, 0.25, 0.5), await colorAt(straight, 0.75, 0.5)]).toEqual([RED, 0]);
  });

  it("are inset", async () => {
    const inset = element("inset", [
      android("drawable", { reference: "drawable/square" }),
      android("inset", { dimension: 27 }),
    ]);
    const icon = await draw(inset, { "res/square.xml": square });
    expect([await colorAt(icon, 0.2, 0.5), await colorAt(icon, 0.3, 0.5)]).toEqual([0, RED]);
  });

  it("may be layers of child elements and references", async () => {
    const oval = element(
      "shape",
      [android("shape", { integer: 1 })],
      [element("solid", [android("color", { color: BLUE })])],
    );
    const list = element(
      "layer-list",
      [],
      [element("item", [android("drawable", { reference: "drawable/square" })]), element("item", [], [oval])],
    );
    const icon = await draw(list, { "res/square.xml": square });
    expect([await colorAt(icon, 0.5, 0.5), await colorAt(icon, 0.02, 0.02)]).toEqual([BLUE, RED]);
  });

  it("may be shapes with a gradient at an angle", async () => {
    const gradient = element("gradient", [
      android("angle", { float: 90 }),
      android("startColor", { color: RED }),
      android("endColor", { color: BLUE }),
    ]);
    const icon = await draw(element("shape", [], [gradient]));
    expect((await colorAt(icon, 0.5, 0.99)) & 0xff).toBeLessThan(16);
    expect((await colorAt(icon, 0.5, 0.01)) & 0xff).toBeGreaterThan(240);
  });

  it("may be the default of a state list", async () => {
    const list = element(
      "selector",
      [],
      [
        element(
          "item",
          [{ name: "state_pressed", id: 0x010100a7, value: { boolean: true } }],
          [element("color", [android("color", { color: BLUE })])],
        ),
        element("item", [android("drawable", { reference: "drawable/square" })]),
      ],
    );
    expect(await colorAt(await draw(list, { "res/square.xml": square }), 0.5, 0.5)).toBe(RED);
  });
});

describe("a hostile drawable", () => {
  const soon = async (root: SourceElement, drawables: Drawables = {}) => {
    const started = processorTimeMs();
    const icon = await draw(root, drawables);
    expect(processorTimeMs() - started).toBeLessThan(10_000);
    return icon;
  };

  it("is null when it has thousands of complex paths", async () => {
    const zigzag = `M0 0${"L100 100 0 100 100 0 0 0".repeat(1500)}`;
    expect(await soon(vector(Array.from({ length: 3000 }, () => path([fill(RED)], zigzag))))).toBeNull();
  });

  it("is null when it has thousands of gradients", async () => {
    const gradient = element(
      "gradient",
      [android("endX", { float: 1 })],
      Array.from({ length: 100 }, (_, index) =>
        element("item", [android("offset", { float: index / 100 }), android("color", { color: index })]),
      ),
    );
    const paths = Array.from({ length: 2000 }, () => path([android("fillColor", { reference: "drawable/paint" })]));
    expect(await soon(vector(paths), { "res/paint.xml": gradient })).toBeNull();
  });

  it("is null when its layers multiply", async () => {
    const level = (next: string) =>
      element(
        "layer-list",
        [],
        Array.from({ length: 50 }, () => element("item", [android("drawable", { reference: next })])),
      );
    const drawables = {
      "res/one.xml": level("drawable/two"),
      "res/two.xml": level("drawable/three"),
      "res/three.xml": level("drawable/image"),
      "res/image.png": makeIcon({ size: 512 }),
    };
    expect(await soon(level("drawable/one"), drawables)).toBeNull();
  });

  it("is null when its numbers are out of range", async () => {
    const huge = vector(
      [path([fill(RED)], "M-1e38 -1e38L1e38 -1e38 1e38 1e38z")],
      [android("alpha", { float: Number.NaN })],
    );
    expect(await soon(huge)).toMatchObject({ width: 192 });
    const flat = vector([element("group", [android("scaleX", { float: 0 })], [path([fill(RED)])])]);
    expect(await soon(flat)).toBeNull();
  });

  it("stops when the inspection is aborted", async () => {
    const aborted = AbortSignal.abort(new Error("enough"));
    const { table, files } = {
      table: { candidates: () => [] },
      files: { read: async () => compileBinaryXml(vector([path([fill(RED)])]), new Map()), parseXml: parseBinaryXml },
    };
    await expect(findAndroidIcon([{ type: "string", value: "res/icon.xml" }], table, files, aborted)).rejects.toThrow(
      "enough",
    );
  });
});
