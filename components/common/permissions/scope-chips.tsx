import { useTranslations } from "next-intl";
import { Badge } from "@/components/ui/badge";
import { type Scope, withImplied } from "@/lib/permissions/scopes";

export type ScopeChipsProps = {
  scopes: readonly Scope[];
  /** Number of chips that are shown; the others are in the title of the last one. */
  max?: number;
};

/** The chosen scopes, followed by those that they include in a muted color. */
export function ScopeChips({ scopes, max = Number.POSITIVE_INFINITY }: ScopeChipsProps) {
  const t = useTranslations("permissions");
  const label = useTranslations("scopes");
  const implied = withImplied(scopes).filter((scope) => !scopes.includes(scope));
  const all = [...scopes, ...implied];
  const more = all.slice(max);
  return (
    <span className="flex min-w-0 flex-wrap gap-1">
      {all.slice(0, max).map((scope) => (
        <Badge
          key={scope}
          tone={implied.includes(scope) ? "outline" : "neutral"}
          className="h-auto min-h-5.5 max-w-full shrink flex-wrap whitespace-normal"
        >
          {label(scope)}
          {implied.includes(scope) && <span className="font-normal">({t("implied")})</span>}
        </Badge>
      ))}
      {more.length > 0 && (
        <Badge tone="outline" title={more.map((scope) => label(scope)).join("\n")}>
          {t("more", { count: more.length })}
        </Badge>
      )}
    </span>
  );
}
