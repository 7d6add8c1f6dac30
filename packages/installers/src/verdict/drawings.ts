import type { Reason } from "./verdict";

/** A drawing of a screen of the system, where a step is done. Its description is a text below `install.drawings`. */
export type DrawingName = "trust" | "trust_restart" | "developer_mode" | "unknown_sources" | "open_browser";

/** The width and height of each drawing. */
export const DRAWING_SIZE = { width: 240, height: 132 } as const;

/** A rounded rectangle. `faint` ones are areas, others lines. */
const area = (x: number, y: number, width: number, height: number, radius: number, opacity: number) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="currentColor" opacity="${opacity}"/>`;
const outline = (x: number, y: number, width: number, height: number, radius: number, more = 'opacity=".45"') =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="none" stroke="currentColor" stroke-width="1.5" ${more}/>`;
/** A line of text. */
const text = (x: number, y: number, width: number, opacity = 0.35) => area(x, y, width, 6, 3, opacity);
/** What is to be tapped: a ring around it. */
const ring = (x: number, y: number, width: number, height: number, radius: number) =>
  outline(x, y, width, height, radius, 'stroke-dasharray="4 3"');
const turnedOn = (x: number, y: number) =>
  `${area(x, y, 26, 15, 7.5, 0.9)}<circle cx="${x + 18.5}" cy="${y + 7.5}" r="5.5" fill="var(--card)"/>`;
const frame = outline(20, 4, 200, 140, 16);
const row = (y: number) => area(32, y, 176, 26, 7, 0.08);

const settings = `${frame}${text(90, 14, 60, 0.6)}${row(32)}${text(44, 42, 70)}${row(64)}${text(44, 74, 52)}`;
const dialog = (height: number) =>
  `<rect x="48" y="36" width="144" height="${height}" rx="12" fill="var(--card)" stroke="currentColor" stroke-width="1.5"/>${text(72, 48, 96, 0.6)}${text(64, 60, 112, 0.25)}`;

/** The shapes of each drawing, in the colour of the text around it. */
const SHAPES: Readonly<Record<DrawingName, string>> = {
  trust: `${settings}${dialog(62)}<path d="M48 76h144M120 76v22" stroke="currentColor" stroke-width="1" opacity=".4"/>${text(66, 84, 36)}${text(138, 84, 36, 0.9)}${ring(124, 78, 64, 18, 6)}`,
  trust_restart: `${settings}${dialog(86)}<path d="M48 76h144M48 99h144" stroke="currentColor" stroke-width="1" opacity=".4"/>${text(84, 84, 58, 0.9)}<path d="M156 83a5 5 0 1 1-4-1.200M152 78v4h4" fill="none" stroke="currentColor" stroke-width="1.5"/>${ring(56, 78, 128, 18, 6)}${text(98, 107, 44)}`,
  developer_mode: `${settings}${ring(28, 60, 184, 34, 10)}${turnedOn(174, 69)}`,
  unknown_sources: `${frame}${text(36, 16, 84, 0.6)}<rect x="36" y="34" width="22" height="22" rx="6" fill="currentColor" opacity=".3"/>${text(68, 42, 60)}${row(70)}${text(44, 80, 96)}${turnedOn(174, 75)}${ring(28, 66, 184, 34, 10)}`,
  open_browser: `${frame}${text(36, 18, 88, 0.5)}<g fill="currentColor"><circle cx="190" cy="21" r="2"/><circle cx="197" cy="21" r="2"/><circle cx="204" cy="21" r="2"/></g>${ring(182, 11, 30, 20, 8)}<rect x="100" y="36" width="112" height="58" rx="10" fill="var(--card)" stroke="currentColor" stroke-width="1.5"/>${text(112, 46, 66, 0.25)}<circle cx="119" cy="72" r="8" fill="none" stroke="currentColor" stroke-width="1.5"/><path d="m122.500 68.500-2.200 4.700-4.700 2.200 2.200-4.700z" fill="currentColor"/>${text(134, 69, 62, 0.9)}${ring(105, 60, 102, 24, 8)}`,
};

/** The drawing of the step of a reason; null if no screen of the system is meant. */
export function drawingOf({ code, params }: Pick<Reason, "code" | "params">): DrawingName | null {
  if (code === "enterprise_trust") return params.restarts === "no" ? "trust" : "trust_restart";
  if (code === "browser_cannot_install") return "open_browser";
  return code === "developer_mode" || code === "unknown_sources" ? code : null;
}

/** The contents of the SVG of a drawing: fixed text of this file. */
export const drawingShapes = (name: DrawingName): string => SHAPES[name];
