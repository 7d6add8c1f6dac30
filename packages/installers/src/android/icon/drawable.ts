import { readIcon } from "../../image/icon";
import { decodePng, ImageError, isPng, pngSize } from "../../image/png";
import { MAX_ICON_BYTES } from "../../limits";
import { type ResourceTable, type ResourceValue, resolveAll, resolveValue } from "../resources/resource-table";
import { type AndroidAttribute, androidAttribute, childrenNamed, type XmlElement } from "../resources/xml";
import {
  type Box,
  Canvas,
  type Color,
  type Coverage,
  type DrawingBudget,
  DrawingBudgetError,
  inverse,
  type Matrix,
  multiply,
  type Paint,
  type Pixels,
} from "./canvas";
import { linearPaint, radialPaint, type Stop, sweepPaint } from "./gradients";
import { type Contour, PathError, parsePath, type StrokeStyle, strokePath } from "./path";

/** Converts a WebP or JPEG to PNG. */
export type ToPng = (image: Uint8Array) => Promise<Uint8Array | null>;

/** Access to the resource files of an app. */
export interface ResourceFiles {
  /** The contents of a file, by its path in the resource table; null when it is missing or larger than `maxBytes`. */
  read(path: string, maxBytes: number): Promise<Uint8Array | null>;
  /** The root element; null when the bytes are not compiled XML. */
  parseXml(bytes: Uint8Array): XmlElement | null;
  /** An image in another format as PNG; null if it cannot be read. Without it, such layers are left out. */
  toPng?: ToPng | undefined;
}

export interface DrawnIcon {
  pixels: Pixels;
  /** False when an unsupported part, such as a colour of the theme, was left out. */
  complete: boolean;
}

/** The width and height of drawn icons, in pixels: a launcher icon of the highest density. */
const ICON_SIZE = 192;
/** The layers of an adaptive icon are 108 dp wide and high, of which a launcher shows at most the inner 72. */
const ADAPTIVE_OVERSIZE = 108 / 72;
const MAX_XML_BYTES = 1024 * 1024;
const MAX_DEPTH = 24;
/** Stops of a gradient. */
const MAX_STOPS = 100;
const MAX_STEPS = 6000;
/** The maximum width and height of an image within an icon. */
const MAX_LAYER_PIXELS = 2048;

/** The colours of android.R.color that launcher icons use. */
const FRAMEWORK_COLORS = new Map([
  [0x0106000b, 0xffffffff],
  [0x0106000c, 0xff000000],
  [0x0106000d, 0x00000000],
  [0x0106000e, 0xff000000],
  [0x0106000f, 0xffffffff],
]);

/** What stands for the background of an adaptive icon that depends on the device, such as a colour of its wallpaper. */
const UNKNOWN_BACKGROUND: Color = { red: 0.38, green: 0.49, blue: 0.55, alpha: 1 };
/** Images of an app's icon that are converted. */
const MAX_CONVERSIONS = 8;
const BLACK: Color = { red: 0, green: 0, blue: 0, alpha: 1 };
const CAPS = ["butt", "round", "square"] as const;
const JOINS = ["miter", "round", "bevel"] as const;

/** A drawable that is malformed or unsupported. It is not thrown out of this file. */
class DrawableError extends Error {}

/**
 * Draws an icon in XML: an adaptive icon (its layers cropped to the visible area, without a mask), a vector, a shape, a
 * layer list, and the drawables that they reference.
 * @param budget the budget for all icons of an app
 * @returns null when nothing can be drawn
 */
export async function drawIcon(
  root: XmlElement,
  table: ResourceTable,
  files: ResourceFiles,
  budget: DrawingBudget,
  signal: AbortSignal,
): Promise<DrawnIcon | null> {
  const canvas = new Canvas(ICON_SIZE, budget);
  const drawing = new Drawing(canvas, budget, table, files, signal);
  try {
    await drawing.element(root, { x: 0, y: 0, width: ICON_SIZE, height: ICON_SIZE }, 0);
  } catch (error) {
    if (!isDrawingError(error)) throw error;
    return null;
  }
  return canvas.isEmpty() ? null : { pixels: canvas.toPixels(), complete: drawing.complete };
}

function isDrawingError(error: unknown): boolean {
  return (
    error instanceof DrawableError ||
    error instanceof PathError ||
    error instanceof DrawingBudgetError ||
    error instanceof ImageError
  );
}

class Drawing {
  complete = true;
  #canvas: Canvas;
  readonly #budget: DrawingBudget;
  readonly #table: ResourceTable;
  readonly #files: ResourceFiles;
  readonly #signal: AbortSignal;
  #steps = 0;

  constructor(canvas: Canvas, budget: DrawingBudget, table: ResourceTable, files: ResourceFiles, signal: AbortSignal) {
    this.#canvas = canvas;
    this.#budget = budget;
    this.#table = table;
    this.#files = files;
    this.#signal = signal;
  }

  async element(element: XmlElement, box: Box, depth: number): Promise<void> {
    this.#step(depth);
    switch (element.name) {
      case "adaptive-icon":
      case "maskable-icon":
        return this.#adaptiveIcon(element, box, depth);
      case "vector":
        return this.#vector(element, box, depth);
      case "animated-vector":
      case "drawable":
        return this.#child(element, "drawable", box, depth);
      case "rotate":
      case "animated-rotate":
        return this.#rotated(element, box, depth);
      case "bitmap":
        return this.#tinted(element, depth, () => this.#child(element, "src", box, depth));
      case "inset":
        return this.#child(element, "drawable", this.#inset(element, box), depth);
      case "layer-list":
      case "transition":
      case "ripple":
        for (const item of childrenNamed(element, "item")) {
          await this.#child(item, "drawable", this.#itemBox(item, box), depth);
        }
        return;
      case "selector":
      case "level-list":
      case "animation-list": {
        const items = childrenNamed(element, "item");
        const item = items.find(isDefaultItem) ?? items[0];
        if (!item) throw new DrawableError("an empty list");
        return this.#child(item, "drawable", box, depth);
      }
      case "shape":
        return this.#shape(element, box, depth);
      case "color":
        return this.#fill(box, await this.#color(androidAttribute(element, "color"), depth));
      default:
        throw new DrawableError(`<${element.name}> is not supported`);
    }
  }

  /** Draws the value of an attribute or, when it is missing, the child element. */
  async #child(element: XmlElement, attribute: AndroidAttribute, box: Box, depth: number): Promise<void> {
    const value = androidAttribute(element, attribute);
    if (value) return this.#value(value, box, depth + 1);
    const inner = element.children[0];
    if (!inner) throw new DrawableError("nothing to draw");
    return this.element(inner, box, depth + 1);
  }

  /** Draws the first candidate of a value that is a supported file or a colour. */
  async #value(value: ResourceValue, box: Box, depth: number): Promise<void> {
    this.#step(depth);
    const framework = frameworkColor(value);
    if (framework) return this.#fill(box, framework);
    for (const candidate of resolveAll(this.#table, value)) {
      if (candidate.value.type === "color") return this.#fill(box, toColor(candidate.value.argb));
      if (candidate.value.type !== "string") continue;
      const bytes = await this.#read(candidate.value.value, MAX_ICON_BYTES);
      if (!bytes) continue;
      const png = isPng(bytes) ? bytes : await this.#converted(bytes);
      if (png) return this.#canvas.drawImage(await this.#image(png), box);
      const root = bytes.length <= MAX_XML_BYTES ? this.#files.parseXml(bytes) : null;
      if (root) return this.element(root, box, depth);
    }
    throw new DrawableError("no supported file");
  }

  /** A picture in another format as PNG; null for other files. */
  async #converted(bytes: Uint8Array): Promise<Uint8Array | null> {
    const { toPng } = this.#files;
    const icon = toPng && this.#budget.conversions < MAX_CONVERSIONS ? await readIcon(bytes) : null;
    if (!toPng || !icon) return null;
    this.#budget.conversions += 1;
    return toPng(bytes);
  }

  async #image(bytes: Uint8Array): Promise<Pixels> {
    const size = pngSize(bytes);
    if (!size || Math.max(size.width, size.height) > MAX_LAYER_PIXELS)
      throw new DrawableError("the image is too large");
    this.#budget.spend(30 * size.width * size.height);
    return decodePng(bytes, this.#signal);
  }

  async #adaptiveIcon(element: XmlElement, box: Box, depth: number): Promise<void> {
    const width = box.width * ADAPTIVE_OVERSIZE;
    const height = box.height * ADAPTIVE_OVERSIZE;
    const layer = { x: box.x - (width - box.width) / 2, y: box.y - (height - box.height) / 2, width, height };
    const background = childrenNamed(element, "background")[0];
    const foreground = childrenNamed(element, "foreground")[0];
    if (!foreground && !background) throw new DrawableError("an adaptive icon without layers");
    if (background) await this.#background(background, layer, depth);
    // Nobody recognizes an app by its background.
    if (foreground) await this.#child(foreground, "drawable", layer, depth);
    if (!background || !foreground) this.complete = false;
  }

  /** Draws the background of an adaptive icon, or what stands for one that cannot be drawn. */
  async #background(element: XmlElement, box: Box, depth: number): Promise<void> {
    try {
      await this.#child(element, "drawable", box, depth);
    } catch (error) {
      if (!(error instanceof DrawableError || error instanceof ImageError)) throw error;
      this.complete = false;
      this.#fill(box, UNKNOWN_BACKGROUND);
    }
  }

  /** Draws the child turned by the angle of the first level. */
  async #rotated(element: XmlElement, box: Box, depth: number): Promise<void> {
    const degrees = this.#number(element, "fromDegrees", 0);
    if (degrees % 360 === 0) return this.#child(element, "drawable", box, depth);
    const pivot = (name: "pivotX" | "pivotY", start: number, length: number) =>
      start + length * this.#number(element, name, 0.5);
    const layer = await this.#onLayer(() => this.#child(element, "drawable", box, depth));
    const center = { x: pivot("pivotX", box.x, box.width), y: pivot("pivotY", box.y, box.height) };
    this.#canvas.drawRotated(layer, (degrees * Math.PI) / 180, center);
  }

  /** Draws on a separate canvas. */
  async #onLayer(draw: () => Promise<void>): Promise<Canvas> {
    const outer = this.#canvas;
    const layer = new Canvas(outer.size, this.#budget);
    this.#canvas = layer;
    try {
      await draw();
    } finally {
      this.#canvas = outer;
    }
    return layer;
  }

  /** Draws on a separate canvas and applies the tint and alpha of the element. */
  async #tinted(element: XmlElement, depth: number, draw: () => Promise<void>): Promise<void> {
    const tint = androidAttribute(element, "tint");
    const alpha = this.#number(element, "alpha", 1);
    if (!tint && alpha === 1) return draw();
    const layer = await this.#onLayer(draw);
    if (tint) layer.tint(await this.#color(tint, depth));
    this.#canvas.drawCanvas(layer, alpha);
  }

  #inset(element: XmlElement, box: Box): Box {
    const all = this.#share(androidAttribute(element, "inset"));
    const side = (name: AndroidAttribute): number => {
      const value = androidAttribute(element, name);
      return value ? this.#share(value) : all;
    };
    const [left, right, top, bottom] = [side("insetLeft"), side("insetRight"), side("insetTop"), side("insetBottom")];
    return {
      x: box.x + box.width * left,
      y: box.y + box.height * top,
      width: Math.max(0, box.width * (1 - left - right)),
      height: Math.max(0, box.height * (1 - top - bottom)),
    };
  }

  /** A length as a share of the box; dp are relative to the layer of an adaptive icon. */
  #share(value: ResourceValue | null): number {
    const resolved = resolveValue(this.#table, value);
    if (resolved?.type === "fraction") return resolved.value;
    return resolved?.type === "dimension" ? resolved.value / 108 : 0;
  }

  #itemBox(item: XmlElement, box: Box): Box {
    const share = (name: AndroidAttribute): number => this.#share(androidAttribute(item, name));
    const [left, top, right, bottom] = [share("left"), share("top"), share("right"), share("bottom")];
    const inner = {
      x: box.x + box.width * left,
      y: box.y + box.height * top,
      width: box.width * (1 - left - right),
      height: box.height * (1 - top - bottom),
    };
    const width = share("width") ? box.width * share("width") : inner.width;
    const height = share("height") ? box.height * share("height") : inner.height;
    // An item with a size is centred, which is the gravity that icons use.
    return { x: inner.x + (inner.width - width) / 2, y: inner.y + (inner.height - height) / 2, width, height };
  }

  #fill(box: Box, paint: Paint, clip: Coverage | null = null): void {
    const { x, y, width, height } = box;
    const points = [x, y, x + width, y, x + width, y + height, x, y + height];
    this.#canvas.paint(this.#canvas.coverage([{ points, closed: true }], IDENTITY, "nonzero"), paint, clip);
  }

  async #shape(element: XmlElement, box: Box, depth: number): Promise<void> {
    const shape = resolveValue(this.#table, androidAttribute(element, "shape"));
    const kind = shape?.type === "integer" ? shape.value : 0;
    if (kind > 1) throw new DrawableError("a line or a ring");
    const solid = childrenNamed(element, "solid")[0];
    const gradient = childrenNamed(element, "gradient")[0];
    let paint: Paint;
    if (gradient) paint = await this.#shapeGradient(gradient, box, depth);
    else if (solid) paint = await this.#color(androidAttribute(solid, "color"), depth);
    else throw new DrawableError("a shape without a fill");
    if (kind === 0) {
      // The corners of a background are outside of the visible area; elsewhere they are drawn square.
      if (childrenNamed(element, "corners").length > 0) this.complete = false;
      return this.#fill(box, paint);
    }
    const points: number[] = [];
    for (let step = 0; step < 96; step++) {
      const angle = (step * Math.PI) / 48;
      points.push(box.x + (box.width / 2) * (1 + Math.cos(angle)), box.y + (box.height / 2) * (1 + Math.sin(angle)));
    }
    this.#canvas.paint(this.#canvas.coverage([{ points, closed: true }], IDENTITY, "nonzero"), paint, null);
  }

  async #shapeGradient(gradient: XmlElement, box: Box, depth: number): Promise<Paint> {
    const stops = await this.#stops(gradient, depth);
    const type = this.#number(gradient, "type", 0);
    const centerX = box.x + box.width * this.#number(gradient, "centerX", 0.5);
    const centerY = box.y + box.height * this.#number(gradient, "centerY", 0.5);
    if (type === 1) {
      const value = resolveValue(this.#table, androidAttribute(gradient, "gradientRadius"));
      const share = value?.type === "float" ? value.value / 108 : this.#share(value);
      return radialPaint(stops, "clamp", IDENTITY, centerX, centerY, box.width * share);
    }
    if (type === 2) return sweepPaint(stops, IDENTITY, centerX, centerY);
    // The angle is counter-clockwise from left to right; the gradient extends from corner to corner.
    const angle = (this.#number(gradient, "angle", 0) * Math.PI) / 180;
    const dx = Math.cos(angle);
    const dy = -Math.sin(angle);
    const halfLength = (Math.abs(dx) * box.width + Math.abs(dy) * box.height) / 2;
    const middleX = box.x + box.width / 2;
    const middleY = box.y + box.height / 2;
    return linearPaint(
      stops,
      "clamp",
      IDENTITY,
      middleX - dx * halfLength,
      middleY - dy * halfLength,
      middleX + dx * halfLength,
      middleY + dy * halfLength,
    );
  }

  async #vector(element: XmlElement, box: Box, depth: number): Promise<void> {
    const viewportWidth = this.#number(element, "viewportWidth", 0);
    const viewportHeight = this.#number(element, "viewportHeight", 0);
    const width = this.#number(element, "width", viewportWidth);
    const height = this.#number(element, "height", viewportHeight);
    if (!(viewportWidth > 0 && viewportHeight > 0 && width > 0 && height > 0)) throw new DrawableError("no viewport");
    // The image is centred in the box and keeps its proportions.
    const scale = Math.min(box.width / width, box.height / height);
    const matrix: Matrix = {
      a: (width * scale) / viewportWidth,
      b: 0,
      c: 0,
      d: (height * scale) / viewportHeight,
      e: box.x + (box.width - width * scale) / 2,
      f: box.y + (box.height - height * scale) / 2,
    };
    await this.#tinted(element, depth, () => this.#vectorChildren(element, matrix, null, depth + 1));
  }

  async #vectorChildren(element: XmlElement, matrix: Matrix, outerClip: Coverage | null, depth: number): Promise<void> {
    let clip = outerClip;
    for (const child of element.children) {
      this.#step(depth);
      if (child.name === "group") {
        await this.#vectorChildren(child, multiply(matrix, this.#groupMatrix(child)), clip, depth + 1);
      } else if (child.name === "clip-path") {
        const contours = this.#contours(child);
        const area = this.#canvas.coverage(contours, matrix, this.#fillRule(child));
        clip = clip ? area.map((amount, index) => Math.min(1, amount) * (clip?.[index] as number)) : area;
      } else if (child.name === "path") await this.#path(child, matrix, clip, depth);
    }
  }

  #groupMatrix(group: XmlElement): Matrix {
    const number = (name: AndroidAttribute, fallback: number): number => this.#number(group, name, fallback);
    const pivotX = number("pivotX", 0);
    const pivotY = number("pivotY", 0);
    const angle = (number("rotation", 0) * Math.PI) / 180;
    const scaleX = number("scaleX", 1);
    const scaleY = number("scaleY", 1);
    const transformation: Matrix = {
      a: Math.cos(angle) * scaleX,
      b: Math.sin(angle) * scaleX,
      c: -Math.sin(angle) * scaleY,
      d: Math.cos(angle) * scaleY,
      e: pivotX + number("translateX", 0),
      f: pivotY + number("translateY", 0),
    };
    return multiply(transformation, { ...IDENTITY, e: -pivotX, f: -pivotY });
  }

  #contours(element: XmlElement): Contour[] {
    const data = resolveValue(this.#table, androidAttribute(element, "pathData"));
    if (data?.type !== "string") return [];
    this.#budget.spend(20 * data.value.length);
    return parsePath(data.value);
  }

  #fillRule(element: XmlElement): "nonzero" | "evenodd" {
    return this.#number(element, "fillType", 0) === 1 ? "evenodd" : "nonzero";
  }

  async #path(path: XmlElement, matrix: Matrix, clip: Coverage | null, depth: number): Promise<void> {
    const contours = this.#contours(path);
    const isTrimmed = this.#number(path, "trimPathStart", 0) !== 0 || this.#number(path, "trimPathEnd", 1) !== 1;
    if (isTrimmed) this.complete = false;
    const fill = androidAttribute(path, "fillColor");
    if (fill) {
      const paint = withAlpha(await this.#paint(fill, matrix, depth), this.#number(path, "fillAlpha", 1));
      this.#canvas.paint(this.#canvas.coverage(contours, matrix, this.#fillRule(path)), paint, clip);
    }
    const stroke = androidAttribute(path, "strokeColor");
    const width = this.#number(path, "strokeWidth", 0);
    if (!stroke || !(width > 0)) return;
    const style: StrokeStyle = {
      width,
      cap: CAPS[this.#number(path, "strokeLineCap", 0)] ?? "butt",
      join: JOINS[this.#number(path, "strokeLineJoin", 0)] ?? "miter",
      miterLimit: this.#number(path, "strokeMiterLimit", 4),
    };
    const paint = withAlpha(await this.#paint(stroke, matrix, depth), this.#number(path, "strokeAlpha", 1));
    this.#budget.spend(50 * contours.reduce((points, contour) => points + contour.points.length, 0));
    this.#canvas.paint(this.#canvas.coverage(strokePath(contours, style), matrix, "nonzero"), paint, clip);
  }

  /** The paint of a path: a colour, or a gradient in the coordinates of the viewport. */
  async #paint(value: ResourceValue, matrix: Matrix, depth: number): Promise<Paint> {
    const root = await this.#colorXml(value, depth);
    if (root?.name !== "gradient") return this.#color(value, depth);
    const stops = await this.#stops(root, depth);
    const number = (name: AndroidAttribute): number => this.#number(root, name, 0);
    const toGradient = inverse(matrix);
    if (!toGradient) throw new DrawableError("the transformation is not invertible");
    const tile = (["clamp", "repeat", "mirror"] as const)[number("tileMode")] ?? "clamp";
    switch (number("type")) {
      case 1:
        return radialPaint(stops, tile, toGradient, number("centerX"), number("centerY"), number("gradientRadius"));
      case 2:
        return sweepPaint(stops, toGradient, number("centerX"), number("centerY"));
      default:
        return linearPaint(stops, tile, toGradient, number("startX"), number("startY"), number("endX"), number("endY"));
    }
  }

  async #stops(gradient: XmlElement, depth: number): Promise<Stop[]> {
    const items = childrenNamed(gradient, "item");
    const stops: Stop[] = [];
    for (const item of items.slice(0, MAX_STOPS)) {
      const color = await this.#color(androidAttribute(item, "color"), depth + 1);
      stops.push({ offset: this.#number(item, "offset", 0), color });
    }
    if (stops.length > 0) return stops.toSorted((a, b) => a.offset - b.offset);
    const colors = (["startColor", "centerColor", "endColor"] as const).flatMap(
      (name) => androidAttribute(gradient, name) ?? [],
    );
    for (const [index, value] of colors.entries()) {
      const offset = colors.length > 1 ? index / (colors.length - 1) : 0;
      stops.push({ offset, color: await this.#color(value, depth + 1) });
    }
    if (stops.length === 0) throw new DrawableError("a gradient without colours");
    return stops;
  }

  /** The colour of a value. A colour of the theme is drawn black, and makes the drawing incomplete. */
  async #color(value: ResourceValue | null, depth: number): Promise<Color> {
    this.#step(depth);
    const framework = frameworkColor(value);
    if (framework) return framework;
    const resolved = resolveValue(this.#table, value);
    if (resolved?.type === "color") return toColor(resolved.argb);
    if (resolved?.type === "integer") return toColor(resolved.value);
    const root = await this.#colorXml(value, depth);
    const items = root?.name === "selector" ? childrenNamed(root, "item") : [];
    const item = items.find(isDefaultItem) ?? items[0];
    if (item) {
      const color = await this.#color(androidAttribute(item, "color"), depth + 1);
      return { ...color, alpha: color.alpha * this.#number(item, "alpha", 1) };
    }
    this.complete = false;
    return BLACK;
  }

  /** The XML file of a colour: a gradient or a state list. */
  async #colorXml(value: ResourceValue | null, depth: number): Promise<XmlElement | null> {
    this.#step(depth);
    const resolved = resolveValue(this.#table, value);
    if (resolved?.type !== "string") return null;
    const bytes = await this.#read(resolved.value, MAX_XML_BYTES);
    return bytes && this.#files.parseXml(bytes);
  }

  async #read(path: string, maxBytes: number): Promise<Uint8Array | null> {
    const bytes = await this.#files.read(path, maxBytes);
    this.#budget.spend(5 * (bytes?.length ?? 0));
    return bytes;
  }

  #number(element: XmlElement, name: AndroidAttribute, fallback: number): number {
    const value = resolveValue(this.#table, androidAttribute(element, name));
    const isNumber =
      value?.type === "float" || value?.type === "integer" || value?.type === "dimension" || value?.type === "fraction";
    return isNumber && Number.isFinite(value.value) ? value.value : fallback;
  }

  #step(depth: number): void {
    this.#signal.throwIfAborted();
    if (depth > MAX_DEPTH || ++this.#steps > MAX_STEPS)
      throw new DrawableError("too many elements, or nested too deeply");
  }
}

const IDENTITY: Matrix = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };

/** Whether an item of a state list is the default: state attributes are booleans. */
function isDefaultItem(item: XmlElement): boolean {
  return item.attributes.every(({ value }) => value.type !== "boolean");
}

function frameworkColor(value: ResourceValue | null): Color | null {
  const argb = value?.type === "reference" ? FRAMEWORK_COLORS.get(value.id) : undefined;
  return argb === undefined ? null : toColor(argb);
}

function toColor(argb: number): Color {
  return {
    red: ((argb >>> 16) & 0xff) / 255,
    green: ((argb >>> 8) & 0xff) / 255,
    blue: (argb & 0xff) / 255,
    alpha: (argb >>> 24) / 255,
  };
}

function withAlpha(paint: Paint, alpha: number): Paint {
  if (alpha === 1) return paint;
  const scaled = (color: Color): Color => ({ ...color, alpha: color.alpha * Math.min(1, Math.max(0, alpha)) });
  return typeof paint === "function" ? (x, y) => scaled(paint(x, y)) : scaled(paint);
}
