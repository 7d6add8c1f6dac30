import { androidVersionOf } from "@slipway/installers";
import { ArrowDown, ArrowRight, ArrowUp, Equal, type LucideIcon, Minus, Plus, RefreshCw } from "lucide-react";
import { useFormatter, useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { HoverLink } from "@/components/common/hover-link";
import { releaseName } from "@/components/common/releases/release-name";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import { cn } from "@/components/ui/cn";
import type { ReleaseChanges } from "@/lib/features/releases/schema";
import { formatBytes } from "@/lib/kernel/format-bytes";
import { releasePath } from "@/lib/kernel/navigation/pages";
import { permissionGroups } from "./permission-groups";

/** The differences from the previous release, as sentences. */
export function ChangesCard({ changes }: { changes: ReleaseChanges }) {
  const t = useTranslations("releases.changes");
  const { previous, permissions, entitlements, sdk } = changes;
  const nothingElse =
    sdk.length === 0 &&
    [...Object.values(permissions), ...Object.values(entitlements)].every((names) => names.length === 0);
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
      <CardContent>
        <ul className="flex flex-col gap-2.5">
          <SizeChange {...changes.size} />
          {sdk.map((change) => (
            <LevelChange key={change.name} {...change} />
          ))}
          <ListChanges kind="permissionAdded" names={permissions.added} />
          <ListChanges kind="permissionRemoved" names={permissions.removed} />
          <ListChanges kind="entitlementAdded" names={entitlements.added} />
          <ListChanges kind="entitlementRemoved" names={entitlements.removed} />
          <ListChanges kind="entitlementChanged" names={entitlements.changed} />
          {nothingElse && (
            <Sentence icon={Equal} tone="neutral">
              {t("nothingElse")}
            </Sentence>
          )}
        </ul>
      </CardContent>
    </Card>
  );
}

const TONES = { neutral: "text-muted-foreground", good: "text-success", attention: "text-warning" };

type SentenceProps = { icon: LucideIcon; tone: keyof typeof TONES; children: ReactNode };

function Sentence({ icon: Icon, tone, children }: SentenceProps) {
  return (
    <li className="flex min-w-0 items-start gap-2.5 leading-5">
      <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", TONES[tone])} />
      <span className="min-w-0 break-words">{children}</span>
    </li>
  );
}

/** A change of less than this share of the size is none. */
const NOTABLE_SHARE = 0.01;

function SizeChange({ before, after }: { before: number; after: number }) {
  const t = useTranslations("releases.changes");
  const locale = useLocale();
  const format = useFormatter();
  const share = (after - before) / Math.max(before, 1);
  const size = formatBytes(after, locale);
  const alike = size === formatBytes(before, locale);
  const exact = (bytes: number) => formatBytes(bytes, locale, alike ? 1 : 0);
  if (Math.abs(share) < NOTABLE_SHARE) {
    return (
      <Sentence icon={Equal} tone="neutral">
        {t("sameSize", { size })}
      </Sentence>
    );
  }
  const grows = share > 0;
  const tone = grows ? "attention" : "good";
  const percent = format.number(share, {
    style: "percent",
    signDisplay: "always",
    maximumFractionDigits: Math.abs(share) < 0.1 ? 1 : 0,
  });
  return (
    <Sentence icon={grows ? ArrowUp : ArrowDown} tone={tone}>
      {t(grows ? "larger" : "smaller", { before: exact(before), after: exact(after) })}{" "}
      <span className={cn("font-medium tabular-nums", TONES[tone])}>{percent}</span>
    </Sentence>
  );
}

function LevelChange({ name, before, after }: ReleaseChanges["sdk"][number]) {
  const t = useTranslations("releases.changes");
  const none = t("none");
  const values = { before: levelText(name, before) ?? none, after: levelText(name, after) ?? none };
  const excludes = name === "minOs" || name === "minSdk";
  const raised = excludes && Number.parseFloat(after ?? "0") > Number.parseFloat(before ?? "0");
  const icon = excludes ? (raised ? ArrowUp : ArrowDown) : ArrowRight;
  return (
    <Sentence icon={icon} tone={excludes ? (raised ? "attention" : "good") : "neutral"}>
      {t(`sdk.${name}`, values)}
    </Sentence>
  );
}

function levelText(name: ReleaseChanges["sdk"][number]["name"], level: string | null): string | null {
  if (level === null) return null;
  if (name === "minOs" || name === "sdkVersion") return `iOS ${level}`;
  const version = androidVersionOf(Number(level));
  return version ? `Android ${version}` : `API ${level}`;
}

const LIST_STYLES = {
  permissionAdded: { icon: Plus, tone: "attention" },
  permissionRemoved: { icon: Minus, tone: "good" },
  entitlementAdded: { icon: Plus, tone: "attention" },
  entitlementRemoved: { icon: Minus, tone: "good" },
  entitlementChanged: { icon: RefreshCw, tone: "neutral" },
} as const;

function ListChanges({ kind, names }: { kind: keyof typeof LIST_STYLES; names: readonly string[] }) {
  const t = useTranslations("releases.changes");
  const groups = useTranslations("releases.facts.permissionGroups");
  return names.map((name) => {
    // Only names of Android permissions belong to a group.
    const [group] = permissionGroups([name]);
    return (
      <Sentence key={name} {...LIST_STYLES[kind]}>
        {t(kind)} <code className="break-all font-mono">{name}</code>
        {group && ` (${groups(group)})`}
      </Sentence>
    );
  });
}
