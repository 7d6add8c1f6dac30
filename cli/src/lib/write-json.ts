import type { Context } from "./context";

/** Writes a value to stdout as indented JSON. */
export function writeJson({ out }: Pick<Context, "out">, value: unknown): void {
  out.write(`${JSON.stringify(value, null, 2)}\n`);
}
