import { useTranslations } from "next-intl";
import { presetOf } from "@/lib/permissions/presets";
import { type Scope, withImplied } from "@/lib/permissions/scopes";

/** What some scopes amount to: the name of a preset, or their number. The title names them. */
export function AccessLevel({ scopes }: { scopes: readonly Scope[] }) {
  const t = useTranslations("people.person");
  const presets = useTranslations("presets");
  const label = useTranslations("scopes");
  const held = withImplied(scopes);
  const preset = presetOf(held);
  return (
    <span title={held.map((scope) => label(scope)).join("\n")}>
      {preset ? presets(`${preset}.name`) : t("scopes", { count: held.length })}
    </span>
  );
}
