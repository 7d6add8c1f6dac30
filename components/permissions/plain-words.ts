import { useFormatter, useTranslations } from "next-intl";
import { SCOPES, type Scope, withImplied } from "@/lib/permissions/scopes";

type Named = { name: string };

/** What a role may do and where, as far as words need it. */
export type Reach = {
  role: Named;
  scopes: readonly Scope[];
  apps: "all" | readonly (Named & { environments: "all" | readonly Named[] })[];
};

type Verb = "read" | "download" | "create" | "update" | "delete" | "write";
type Thing = "release" | "environment" | "dev-variable" | "secure-variable" | "secure-certificate";

/** What is done to what, in the table's order: `release` → read and download. */
export function verbsByThing(scopes: readonly Scope[]): Map<Thing, Verb[]> {
  const verbs = new Map<Thing, Verb[]>();
  const held = withImplied(scopes);
  for (const scope of SCOPES) {
    if (!held.includes(scope)) continue;
    const [thing, verb] = scope.split(":") as [Thing, Verb];
    verbs.set(thing, [...(verbs.get(thing) ?? []), verb]);
  }
  return verbs;
}

type Words = ReturnType<typeof useTranslations<"permissions.plain">>;
type ListFormat = Pick<ReturnType<typeof useFormatter>, "list">;

/** Says in one sentence what a role reaches: "Testers can see and download releases in every environment of Harbour." */
export function inPlainWords(t: Words, format: ListFormat, { role, scopes, apps }: Reach): string {
  const list = (texts: readonly string[]) => format.list(texts, { type: "conjunction" });
  const names = (named: readonly Named[]) => list(named.map(({ name }) => name));
  const actions = [...verbsByThing(scopes)].map(([thing, verbs]) =>
    t(`objects.${thing}`, { verbs: list(verbs.map((verb) => t(`verbs.${verb}`))) }),
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
  return t("sentence", { role: role.name, actions: list(actions), places: list(places) });
}

/** As `inPlainWords`, in the reader's language. */
export function usePlainWords(): (reach: Reach) => string {
  const t = useTranslations("permissions.plain");
  const format = useFormatter();
  return (reach) => inPlainWords(t, format, reach);
}
