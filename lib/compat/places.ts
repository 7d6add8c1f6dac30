import "server-only";
import { idSchema } from "@/lib/kernel/ids-schema";
import type { FormRelease } from "./form";

/** The place that a key names: the ID of an environment, or `<identifier>/<environment>`; null for anything else. */
export function placeOfKey(key: string): FormRelease["place"] | null {
  if (idSchema.safeParse(key).success) return { environmentId: key };
  const slash = key.indexOf("/");
  const [app, environment] = [key.slice(0, slash).trim(), key.slice(slash + 1).trim()];
  return slash > 0 && app && environment ? { app, environment } : null;
}

/** A name in the form of App Center's addresses: lower case, with hyphens between its words. */
export function slugOf(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}+/gu, "")
    .replace(/[^\p{L}\p{N}._]+/gu, "-")
    .replace(/^-+|-+$/g, "");
}
