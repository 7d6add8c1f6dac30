import "server-only";
import { v7 } from "uuid";

/** A new identifier: UUID version 7 (RFC 9562), so that ids sort by the time of their making. */
export function newId(): string {
  return v7();
}
