import { useTranslations } from "next-intl";
import { HoverLink } from "@/components/common/hover-link";
import { Nothing } from "@/components/common/nothing";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import type { ComparedPlace } from "./comparison-places";
import { areBothSet, type ComparedRow } from "./comparison-rows";

export type ComparisonCellProps = { row: ComparedRow; side: "from" | "to"; place: ComparedPlace };

/** An entry in one of the compared environments, as a link to it: its value, or how it compares. */
export function ComparisonCell({ row, side, place }: ComparisonCellProps) {
  const t = useTranslations("configuration.comparison");
  const { key, same } = row;
  const { state, onlyGap, text, isWhole } = row[side];
  if (state === "missing") {
    return (
      <span className="flex items-center max-lg:min-h-11">
        {onlyGap ? <Badge tone="danger">{t("missing")}</Badge> : <Nothing label={t("notThere")} />}
      </span>
    );
  }
  // Without values, the second environment tells how it compares with the first.
  const isCompared = side === "to" && areBothSet(row) && same !== undefined;
  return (
    <HoverLink
      href={`${place.href}&search=${encodeURIComponent(key)}`}
      title={t("open", { key, environment: place.name })}
      className="flex min-h-6 min-w-0 max-w-full items-center gap-2 underline-offset-4 hover:underline max-lg:min-h-11"
    >
      {text === undefined ? (
        isCompared && !same ? (
          <Badge tone="info">{t("differs")}</Badge>
        ) : (
          <span className="text-muted-foreground">{t(isCompared ? "same" : "set")}</span>
        )
      ) : text === "" && isWhole ? (
        <Nothing label={t("emptyValue")} />
      ) : (
        <code
          className={cn(
            "min-w-0 font-mono text-[0.8125rem] max-lg:[overflow-wrap:anywhere] lg:truncate",
            same === true && "text-muted-foreground",
          )}
        >
          {text}
          {!isWhole && "…"}
        </code>
      )}
      {state === "inactive" && <Badge tone="outline">{t("inactive")}</Badge>}
    </HoverLink>
  );
}
