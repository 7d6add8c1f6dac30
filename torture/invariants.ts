/** A file as its row describes it. */
export interface FileRow {
  id: string;
  storageKey: string;
  state: string;
  size: number;
  sha256: string | null;
  /** Whether it is that of an upload which goes on. */
  hasUpload: boolean;
}

/** A release as its rows describe it. */
export interface ReleaseRow {
  id: string;
  sha256: string | null;
  /** Of its installer and its icon. */
  states: string[];
}

/** A release as its client knows it. */
export interface KnownRelease {
  sha256: string;
  /** Null if its publication was not answered. */
  releaseId: string | null;
  deletion: "none" | "sent" | "answered";
}

/**
 * Compares the store with the rows after a sweep.
 *
 * @param objects sizes by key
 * @param sha256Of an object, in hex; null if it need not be compared again
 * @returns files without bytes or with others, bytes without a row, and what was abandoned or half removed
 */
export async function storeProblems(
  rows: readonly FileRow[],
  objects: ReadonlyMap<string, number>,
  sha256Of: (file: FileRow) => Promise<string | null>,
): Promise<string[]> {
  const problems: string[] = [];
  for (const file of rows) {
    const { id, storageKey, state, size, sha256, hasUpload } = file;
    if (state === "deleting") problems.push(`the file ${id} is still to be removed`);
    if (state === "pending" && !hasUpload) problems.push(`the file ${id} was abandoned and is still there`);
    if (sha256 === null) continue;
    const stored = objects.get(storageKey);
    if (stored !== size) problems.push(`the file ${id} has ${stored ?? "no"} of its ${size} bytes`);
    else if (((await sha256Of(file)) ?? sha256) !== sha256) problems.push(`the file ${id} has other bytes`);
  }
  const known = new Set(rows.map(({ storageKey }) => storageKey));
  const unknown = [...objects.keys()].filter((key) => !known.has(key));
  return [...problems, ...unknown.map((key) => `the object ${key} has no row`)];
}

/**
 * Compares the releases with what their clients know.
 * @returns releases without bytes, answered ones that are lost, deleted ones that are there, and ones that nobody sent or that
 *   exist twice
 */
export function releaseProblems(rows: readonly ReleaseRow[], known: readonly KnownRelease[]): string[] {
  const problems = rows
    .filter(({ sha256, states }) => sha256 === null || states.some((state) => state !== "ready"))
    .map(({ id, states }) => `the release ${id} has files without bytes: ${states.join(", ")}`);
  const bySha256 = Map.groupBy(rows, ({ sha256 }) => sha256);
  for (const { sha256, releaseId, deletion } of known) {
    const found = bySha256.get(sha256) ?? [];
    bySha256.delete(sha256);
    if (found.length > 1) problems.push(`the installer of ${releaseId} was published ${found.length} times`);
    if (releaseId === null) continue;
    if (deletion === "answered" && found.length > 0) problems.push(`the release ${releaseId} was deleted and is there`);
    if (deletion === "none" && found[0]?.id !== releaseId) {
      problems.push(`the release ${releaseId} was answered and is lost`);
    }
  }
  const strangers = [...bySha256.values()].flat();
  return [...problems, ...strangers.map(({ id }) => `the release ${id} was deleted or never sent, and is there`)];
}

/**
 * Compares an upload with what its client knows.
 * @returns what was answered and is lost
 */
export function uploadProblems(
  state: { parts: readonly { number: number }[]; fileId: string | null },
  known: { uploadId: string; parts: ReadonlySet<number>; fileId: string | null },
): string[] {
  if (known.fileId !== null && state.fileId !== known.fileId) return [`the upload ${known.uploadId} lost its file`];
  const arrived = new Set(state.parts.map(({ number }) => number));
  const lost = state.fileId === null ? [...known.parts].filter((number) => !arrived.has(number)) : [];
  return lost.length === 0 ? [] : [`the upload ${known.uploadId} lost the parts ${lost.join(", ")}`];
}
