import { ArrowRight, Minus, Plus, RefreshCw } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { type Fact, Facts } from "@/components/common/facts";
import { formatBytes } from "@/components/common/format-bytes";
import { HoverLink } from "@/components/common/hover-link";
import { releaseName } from "@/components/common/release-name";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import { cn } from "@/components/ui/cn";
import type { ReleaseChanges } from "@/lib/features/releases/schema";
import { releasePath } from "@/lib/kernel/navigation/pages";
import { androidVersionOf } from "./android-versions";

/** The differences from the previous release. */
export function ChangesCard({ changes }: { changes: ReleaseChanges }) {
  const t = useTranslations("releases.changes");
  const { previous, permissions, entitlements, sdk } = changes;
  const listed = [
    { label: t("permissions"), ...permissions, changed: [] },
    { label: t("entitlements"), ...entitlements },
  ].filter(({ added, removed, changed }) => added.length + removed.length + changed.length > 0);
  const items: Fact[] = [
    { label: t("size"), value: <SizeChange {...changes.size} /> },
    ...sdk.map(({ name, before, after }) => ({
      label: t(`sdk.${name}`),
      value: <Step before={levelText(name, before)} after={levelText(name, after)} />,
    })),
    ...listed.map(({ label, added, removed, changed }) => ({
      label,
      value: (
        <ul className="flex flex-col gap-1">
          {added.map((name) => (
            <Change key={name} kind="added" name={name} />
          ))}
          {removed.map((name) => (
            <Change key={name} kind="removed" name={name} />
          ))}
          {changed.map((name) => (
            <Change key={name} kind="changed" name={name} />
          ))}
        </ul>
      ),
    })),
  ];
  return (
    <Card>
      <CardHeader>
        <CardTitle>
          {t.rich("title", {
            previous: () => (
              <HoverLink
                href={releasePath(previous.id)}
                className="font-mono text-link underline-offset-4 hover:underline"
              >
                {releaseName(previous)}
              </HoverLink>
            ),
          })}
        </CardTitle>
      </CardHeader>
      <CardContent className="gap-2">
        <Facts items={items} />
        {sdk.length === 0 && listed.length === 0 && <p className="text-muted-foreground">{t("nothingElse")}</p>}
      </CardContent>
    </Card>
  );
}

function SizeChange({ before, after }: { before: number; after: number }) {
  const t = useTranslations("releases.changes");
  const locale = useLocale();
  const difference = after - before;
  if (difference === 0) return t("sameSize", { size: formatBytes(after, locale) });
  const percent = new Intl.NumberFormat(locale, {
    style: "percent",
    signDisplay: "exceptZero",
    maximumFractionDigits: 1,
  });
  return (
    <span className="flex flex-wrap items-baseline gap-x-2">
      <Step before={formatBytes(before, locale)} after={formatBytes(after, locale)} />
      <span className="text-muted-foreground tabular-nums">
        {difference > 0 ? "+" : "−"}
        {formatBytes(Math.abs(difference), locale)}
        {after < 10 * before && ` (${percent.format(difference / before)})`}
      </span>
    </span>
  );
}

function Step({ before, after }: { before: string | null; after: string | null }) {
  const t = useTranslations("releases.changes");
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5 tabular-nums">
      <span className="text-muted-foreground">{before ?? t("none")}</span>
      <ArrowRight role="img" aria-label={t("becomes")} className="size-3.5 shrink-0 text-muted-foreground" />
      <span>{after ?? t("none")}</span>
    </span>
  );
}

function levelText(name: ReleaseChanges["sdk"][number]["name"], level: string | null): string | null {
  if (level === null) return null;
  if (name === "minOs" || name === "sdkVersion") return `iOS ${level}`;
  const version = androidVersionOf(Number(level));
  return version ? `Android ${version} (API ${level})` : `API ${level}`;
}

const STYLES = {
  added: { Icon: Plus, className: "text-success" },
  removed: { Icon: Minus, className: "text-danger" },
  changed: { Icon: RefreshCw, className: "text-warning" },
};

function Change({ kind, name }: { kind: keyof typeof STYLES; name: string }) {
  const t = useTranslations("releases.changes");
  const { Icon, className } = STYLES[kind];
  return (
    <li className="flex items-start gap-1.5">
      <Icon role="img" aria-label={t(kind)} className={cn("mt-0.5 size-3.5 shrink-0", className)} />
      <span className="min-w-0 break-all font-mono">{name}</span>
    </li>
  );
}
