import { SUPER_ADMIN } from "@/lib/permissions/actor";

/** A name reduced to its letters and digits, ignoring case and width (Unicode NFKC). */
function asRead(name: string): string {
  return name
    .normalize("NFKC")
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** Whether a name could be mistaken for SUPER_ADMIN, such as "super admin". */
export function isReservedName(name: string): boolean {
  return asRead(name) === asRead(SUPER_ADMIN);
}
