import "server-only";
import { v7 } from "uuid";

/** Generates an ID: a UUID version 7 (RFC 9562), so that IDs sort by creation time. */
export function newId(): string {
  return v7();
}
