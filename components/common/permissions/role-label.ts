import { SUPER_ADMIN } from "@/lib/permissions/actor";

/** The name of a role as its holder reads it: the built-in role has one in each language. */
export function roleLabel(name: string, t: (key: "superAdmin") => string): string {
  return name === SUPER_ADMIN ? t("superAdmin") : name;
}
