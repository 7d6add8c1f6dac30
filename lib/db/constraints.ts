import { Prisma } from "./generated/client";

function prismaCode(error: unknown): string | null {
  return error instanceof Prisma.PrismaClientKnownRequestError ? error.code : null;
}

/**
 * Returns the column of the unique index that a write violated: the last one in the index's name.
 * @returns null if the error is not a unique violation
 */
export function violatedColumn(error: unknown): string | null {
  if (prismaCode(error) !== "P2002") return null;
  const { meta } = error as Prisma.PrismaClientKnownRequestError;
  const index = /"?([A-Za-z0-9]+)_([A-Za-z0-9_]+)_key/.exec(JSON.stringify(meta ?? {}));
  return index?.[2]?.split("_").at(-1) ?? "id";
}

/** Returns whether an error says that the row to read or change does not exist. */
export function isRowMissing(error: unknown): boolean {
  return prismaCode(error) === "P2025";
}
