import { SUPER_ADMIN } from "@/lib/permissions/actor";

/** A name as a reader takes it: what is no letter or digit, case and width left out (Unicode NFKC). */
function asRead(name: string): string {
  return name
    .normalize("NFKC")
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** Whether a name would be taken for the one role that the product fixes: "super admin" as much as "SUPER_ADMIN". */
export function isReservedName(name: string): boolean {
  return asRead(name) === asRead(SUPER_ADMIN);
}
