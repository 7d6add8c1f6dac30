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
