/**
 * The deepest state that is accepted. A page is below a few layouts; the time that Next needs grows with the square of the
 * depth.
 */
const MAX_DEPTH = 32;
/** The longest header that Next accepts, in characters. */
const MAX_LENGTH = 40_000;

const PARAMETER_TYPES = new Set([
  "c",
  "ci(..)(..)",
  "ci(.)",
  "ci(..)",
  "ci(...)",
  "oc",
  "d",
  "di(..)(..)",
  "di(.)",
  "di(..)",
  "di(...)",
]);
const REFRESH_MARKERS = new Set(["refetch", "inside-shared-layout", "metadata-only"]);

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isAbsent: Check = (value) => value === undefined || value === null;

/** Whether a value is a list of one entry for each check, all of which pass. */
function isTuple(value: unknown, checks: readonly Check[]): value is unknown[] {
  return Array.isArray(value) && value.length <= checks.length && checks.every((check, index) => check(value[index]));
}

const isSegment: Check = (value) =>
  isText(value) ||
  isTuple(value, [
    isText,
    isText,
    (type) => PARAMETER_TYPES.has(type as string),
    (siblings) => siblings === null || (Array.isArray(siblings) && siblings.every(isText)),
  ]);

function isState(value: unknown, depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  return isTuple(value, [
    isSegment,
    (routes) =>
      typeof routes === "object" && routes !== null && Object.values(routes).every((one) => isState(one, depth + 1)),
    (refreshedBy) => isAbsent(refreshedBy) || isTuple(refreshedBy, [isText, isText]),
    (marker) => isAbsent(marker) || REFRESH_MARKERS.has(marker as string),
    (hints) => isAbsent(hints) || typeof hints === "number",
    (hash) => hash === undefined || isText(hash),
  ]);
}

/**
 * Whether Next can parse a `Next-Router-State-Tree` header, with which its router asks for a part of a page. Next fails on
 * one that it cannot parse (`flightRouterStateSchema` in `next/dist/server/app-render/types`).
 */
export function isRouterState(header: string): boolean {
  if (header.length > MAX_LENGTH) return false;
  try {
    return isState(JSON.parse(decodeURIComponent(header)), 1);
  } catch {
    return false;
  }
}
