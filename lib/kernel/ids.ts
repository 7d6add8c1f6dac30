import "server-only";
import { v7 } from "uuid";

/** Generates an ID: a UUID version 7 (RFC 9562), so that IDs sort by creation time. */
export function newId(): string {
  return v7();
}

/** Sorts before every ID: the start of a walk through rows in the order of their IDs. */
export const BEFORE_ALL_IDS = "00000000-0000-0000-0000-000000000000";
