/** Has nothing to resolve. */
const PLAIN_PATH = /^(\/[\w-]+)+$/;

/**
 * The path of a target in origin form. Resolves dot segments, including encoded ones, as Next does (WHATWG URL Standard).
 */
export function resolvedPath(target: string): string {
  const [path = ""] = target.split("?", 1);
  if (PLAIN_PATH.test(path)) return path;
  return URL.parse(`http://localhost${path}`)?.pathname ?? path;
}

/** Whether the percent-encoding of a path is valid UTF-8. */
export function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
