import { useFormatter, useTranslations } from "next-intl";
import { SCOPES, type Scope, withImplied } from "@/lib/permissions/scopes";

type Named = { name: string };

/** A role with its scopes and places, for the sentence in plain words. */
export type Reach = {
  /** Null for people whose role is not known yet. */
  role: Named | null;
  scopes: readonly Scope[];
  apps: "all" | readonly (Named & { environments: "all" | readonly Named[] })[];
  /** The groups of testers whose releases it is, instead of places; only for a role. */
  groups?: readonly (Named & { app: Named })[];
};

type Verb = "read" | "download" | "create" | "update" | "delete" | "write";
type Resource = "release" | "environment" | "dev-variable" | "secure-variable" | "secure-certificate";

/** Groups scopes by resource, in the order of the table of scopes: `release` → read and download. */
export function verbsByResource(scopes: readonly Scope[]): Map<Resource, Verb[]> {
  const verbs = new Map<Resource, Verb[]>();
  const held = withImplied(scopes);
  for (const scope of SCOPES) {
    if (!held.includes(scope)) continue;
    const [resource, verb] = scope.split(":") as [Resource, Verb];
    verbs.set(resource, [...(verbs.get(resource) ?? []), verb]);
  }
  return verbs;
}

type Words = ReturnType<typeof useTranslations<"permissions.plain">>;
type ListFormat = Pick<ReturnType<typeof useFormatter>, "list">;

/**
 * Describes in one sentence what a role can do: "Testers can see and download releases in every environment of
 * Harbour."
 */
export function inPlainWords(t: Words, format: ListFormat, { role, scopes, apps, groups = [] }: Reach): string {
  const list = (texts: readonly string[]) => format.list(texts, { type: "conjunction" });
  if (role && groups.length > 0) {
    return t("ofGroups", {
      role: role.name,
      verbs: list((verbsByResource(scopes).get("release") ?? []).map((verb) => t(`verbs.${verb}`))),
      count: groups.length,
      groups: list(groups.map(({ name, app }) => t("groupOfApp", { group: name, app: app.name }))),
    });
  }
  const names = (named: readonly Named[]) => list(named.map(({ name }) => name));
  const actions = [...verbsByResource(scopes)].map(([resource, verbs]) =>
    t(`objects.${resource}`, { verbs: list(verbs.map((verb) => t(`verbs.${verb}`))) }),
  );
  const places: string[] = [];
  if (apps === "all") places.push(t("everywhere"));
  else {
    const whole = apps.filter(({ environments }) => environments === "all");
    if (whole.length > 0) places.push(t("wholeApp", { app: names(whole) }));
    for (const { name, environments } of apps) {
      if (environments !== "all") places.push(t("someOfApp", { app: name, environments: names(environments) }));
    }
  }
  const what = { actions: list(actions), places: list(places) };
  return role ? t("sentence", { role: role.name, ...what }) : t("people", what);
}

/** `inPlainWords` in the user's language. */
export function usePlainWords(): (reach: Reach) => string {
  const t = useTranslations("permissions.plain");
  const format = useFormatter();
  return (reach) => inPlainWords(t, format, reach);
}
