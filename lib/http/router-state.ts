/**
 * The deepest state that is accepted. A page is below a few layouts; the time that Next needs grows with the square of the
 * depth.
 */
const MAX_DEPTH = 32;

const PARAMETER_TYPES = new Set(["c", "oc", "d"]);

function isSegment(value: unknown): boolean {
  if (typeof value === "string") return true;
  if (!Array.isArray(value) || value.length !== 4) return false;
  const [name, cacheKey, type, siblings] = value;
  return (
    typeof name === "string" &&
    typeof cacheKey === "string" &&
    // Types of intercepted routes have a suffix, as in `di(..)`.
    typeof type === "string" &&
    PARAMETER_TYPES.has(type.replace(/i\([.()]+\)$/, "")) &&
    (siblings === null || (Array.isArray(siblings) && siblings.every((one) => typeof one === "string")))
  );
}

function isState(value: unknown, depth: number): boolean {
  if (depth > MAX_DEPTH || !Array.isArray(value) || value.length < 2 || value.length > 6) return false;
  const [segment, parallelRoutes] = value;
  return (
    isSegment(segment) &&
    typeof parallelRoutes === "object" &&
    parallelRoutes !== null &&
    !Array.isArray(parallelRoutes) &&
    Object.values(parallelRoutes).every((one) => isState(one, depth + 1))
  );
}

/**
 * Whether Next can parse a `Next-Router-State-Tree` header, with which its router asks for a part of a page. Next fails on
 * one that it cannot parse (`flightRouterStateSchema` in `next/dist/server/app-render/types`).
 */
export function isRouterState(header: string): boolean {
  try {
    return isState(JSON.parse(decodeURIComponent(header)), 1);
  } catch {
    return false;
  }
}
