import { StorageError } from "../driver";

export const FULL = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);
export const GONE = new Set(["ENOENT", "ENOTDIR"]);

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** What a failure of the file system means to the caller. */
export function diskError(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  return new StorageError(FULL.has(codeOf(error) ?? "") ? "full" : "unavailable", { cause: error });
}

export function rethrow(error: unknown): never {
  throw diskError(error);
}

/** The same for files in an upload's folder: if the folder was removed, there is no such upload. */
export function rethrowGone(error: unknown): never {
  throw GONE.has(codeOf(error) ?? "") ? new StorageError("missing", { cause: error }) : diskError(error);
}
