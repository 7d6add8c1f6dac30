import { createHash } from "node:crypto";
import { stringify, validate } from "uuid";

/** Whose visit it is: a user's, or that of somebody of whom nothing is known. */
export interface Visitor {
  kind: "user" | "visit";
  /** The user's ID, or that of the visit. */
  id: string;
}

export function userVisitor(userId: string): Visitor {
  return { kind: "user", id: userId };
}

/** Somebody without an account: the same visitor for the same names, of which the ID is a hash. */
export function namedVisitor(...names: readonly string[]): Visitor {
  const hash = createHash("sha256").update(names.join(" ")).digest().subarray(0, 16);
  hash[6] = ((hash[6] as number) & 0x0f) | 0x80;
  hash[8] = ((hash[8] as number) & 0x3f) | 0x80;
  return { kind: "visit", id: stringify(hash) };
}

/** A visitor as a token carries it. */
export function encodeVisitor({ kind, id }: Visitor): string {
  return `${kind}:${id}`;
}

/** The visitor of a token; null if it carries none. */
export function decodeVisitor(text: string | null): Visitor | null {
  const [kind, id] = (text ?? "").split(":");
  return (kind === "user" || kind === "visit") && validate(id) ? { kind, id: id as string } : null;
}
