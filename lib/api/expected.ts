import "server-only";
import { ApiError } from "@/lib/kernel/errors";

/**
 * Checks that a row still has the values that a command expects, such as the one that undoes an earlier change.
 * @param current the row, locked until the transaction ends
 * @param expected the fields that are compared; undefined if the caller expects nothing
 * @throws ApiError conflict if a field differs
 */
export function requireExpected<Row extends object>(current: Row, expected: Partial<Row> | undefined): void {
  const changed = Object.entries(expected ?? {}).find(
    ([field, value]) =>
      value !== undefined && JSON.stringify((current as Record<string, unknown>)[field]) !== JSON.stringify(value),
  );
  if (changed) throw new ApiError("conflict", { detailKey: "detailChanged", params: { field: changed[0] } });
}

/** In milliseconds; null for none. */
function instantOf(at: Date | string | null): number | null {
  return at === null ? null : new Date(at).getTime();
}

/**
 * Checks that nobody changed a row since the caller read it.
 * @param current the row, locked until the transaction ends; `updatedAt` is null if nothing is stored
 * @param ifUpdatedAt its `updatedAt` as the caller read it; undefined if the caller does not care
 * @throws ApiError conflict if it was changed
 */
export function requireUnchanged(
  current: { updatedAt: Date | string | null },
  ifUpdatedAt: string | null | undefined,
): void {
  if (ifUpdatedAt === undefined || instantOf(current.updatedAt) === instantOf(ifUpdatedAt)) return;
  throw new ApiError("conflict", { detailKey: "detailChanged", params: { field: "updatedAt" } });
}
