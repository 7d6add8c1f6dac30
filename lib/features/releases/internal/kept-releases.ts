import "server-only";
import { checkPart } from "@/lib/api/checked";
import { type Release, releaseSchema } from "../schema";

/** The most that is kept, in characters of JSON. */
export const MAX_KEPT_CHARACTERS = 4_000_000;
/** How long a release is kept. The versions of rows are transaction IDs, which repeat after billions of transactions. */
export const MAX_AGE_MS = 10 * 60_000;

interface Kept {
  /** The versions of the rows that the release was made of. */
  state: string;
  release: Release;
  size: number;
  /** Of the clock of `performance`. */
  keptAt: number;
}

/** Least recently used first. */
const kept = new Map<string, Kept>();
let size = 0;

function drop(id: string): void {
  size -= kept.get(id)?.size ?? 0;
  kept.delete(id);
}

/** The release as it was answered before, if its rows are still the same. */
export function keptRelease(id: string, state: string): Release | undefined {
  const found = kept.get(id);
  if (found?.state !== state || performance.now() - found.keptAt > MAX_AGE_MS) return undefined;
  kept.delete(id);
  kept.set(id, found);
  return found.release;
}

/**
 * Checks a release for answers and keeps it, in the place of the least recently used ones.
 * @param state identifies what the release was made of: another state means another release
 */
export function keepRelease(state: string, made: Release): Release {
  const { part: release, json } = checkPart(releaseSchema, made);
  drop(release.id);
  kept.set(release.id, { state, release, size: json.length, keptAt: performance.now() });
  size += json.length;
  for (const id of kept.keys()) {
    if (size <= MAX_KEPT_CHARACTERS) break;
    drop(id);
  }
  return release;
}

/** How much is kept, in characters of JSON. */
export function keptCharacters(): number {
  return size;
}
