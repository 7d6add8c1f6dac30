import { useTranslations } from "next-intl";
import { Alert } from "@/components/ui/alert";
import type { Release } from "@/lib/features/releases/schema";

/** The rules of the environment that a release broke when it was published. */
export function RuleWarnings({ warnings }: Pick<Release, "warnings">) {
  const t = useTranslations("rules");
  const found = useTranslations("validation.ruleFound");
  if (warnings.length === 0) return null;
  return (
    <Alert tone="warning" title={t("onRelease")}>
      <ul className="flex list-disc flex-col gap-1 ps-4">
        {warnings.map(({ rule, params, overridden }) => {
          const text = found(rule, params as never);
          return (
            <li key={rule} className="break-words">
              {overridden ? t("overridden", { text }) : text}
            </li>
          );
        })}
      </ul>
    </Alert>
  );
}
