import "server-only";
import { isRowMissing, violatedColumn } from "@/lib/db/constraints";
import { isDatabaseFull, isDatabaseUnavailable } from "@/lib/db/unavailable";
import { SealedError } from "@/lib/kernel/crypto/sealed";
import { ApiError, takenConflict } from "@/lib/kernel/errors";
import { StorageError } from "@/lib/storage/driver";

/** Puts any failure into the catalogue's words. What is not known is `unexpected`; its cause is for the log alone. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof StorageError) {
    if (error.failure === "full") return new ApiError("storage_full", { cause: error });
    if (error.failure === "missing") return new ApiError("not_found", { cause: error });
    if (error.failure === "too_large")
      return new ApiError("file_too_large", { cause: error, detailKey: "detailPlain" });
    return new ApiError("unavailable", { cause: error, retryAfter: 5 });
  }
  if (error instanceof SealedError) return new ApiError("unexpected", { cause: error, detailKey: "detailSealed" });
  const column = violatedColumn(error);
  if (column !== null) return takenConflict(column);
  if (isRowMissing(error)) return new ApiError("not_found", { cause: error });
  if (isDatabaseFull(error)) return new ApiError("storage_full", { cause: error });
  if (isDatabaseUnavailable(error)) return new ApiError("unavailable", { cause: error, retryAfter: 2 });
  return new ApiError("unexpected", { cause: error });
}
