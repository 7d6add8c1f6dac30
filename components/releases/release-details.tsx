import { KeyRound } from "lucide-react";
import { useTranslations } from "next-intl";
import { Bytes } from "@/components/common/bytes";
import { CompareButton } from "@/components/common/configuration/compare-button";
import { DateTime } from "@/components/common/date-time";
import { type Fact, Facts } from "@/components/common/facts";
import { RelativeTime } from "@/components/common/relative-time";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import type { Release } from "@/lib/features/releases/schema";
import { Copyable } from "./installer-facts";
import { isAddress, OutsideLink } from "./outside-link";

export type ReleaseDetailsProps = { release: Release; changedKeys: number | null };

/** The publisher, the date, the configuration and the file of a release. */
export function ReleaseDetails({ release, changedKeys }: ReleaseDetailsProps) {
  const t = useTranslations("releases.details");
  const { deployDate, createdBy, downloads, size, fileName, sha256, environment, configurationVersion } = release;
  const items: Fact[] = [
    {
      label: t("published"),
      value: (
        <span className="flex flex-col">
          <DateTime date={deployDate} withTime />
          <RelativeTime date={deployDate} className="text-muted-foreground text-xs" />
        </span>
      ),
    },
    { label: t("by"), value: <Creator createdBy={createdBy} /> },
    { label: t("downloads"), value: t("downloadCount", { count: downloads }) },
    ...(configurationVersion !== null && changedKeys !== null
      ? [
          {
            label: t("configuration"),
            value: (
              <ConfigurationSince
                environmentId={environment.id}
                version={configurationVersion}
                changedKeys={changedKeys}
              />
            ),
          },
        ]
      : []),
    { label: t("size"), value: <Bytes value={size} /> },
    { label: t("fileName"), value: <span className="break-all font-mono">{fileName}</span> },
    { label: t("sha256"), value: <Copyable label={t("sha256")} value={sha256} /> },
  ];
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("title")}</CardTitle>
      </CardHeader>
      <CardContent>
        <Facts items={items} />
      </CardContent>
    </Card>
  );
}

type ConfigurationSinceProps = { environmentId: string; version: number; changedKeys: number };

/** The configuration that a release was made with, and what has changed since. */
function ConfigurationSince({ environmentId, version, changedKeys }: ConfigurationSinceProps) {
  const t = useTranslations("releases.details");
  const history = useTranslations("configuration.history");
  return (
    <span className="flex flex-col items-start gap-1">
      {history("version", { version })}
      <span className="text-muted-foreground text-xs">{t("changedKeys", { count: changedKeys })}</span>
      {changedKeys > 0 && (
        <CompareButton label="compare" environmentId={environmentId} from={version} to="current" version={version} />
      )}
    </span>
  );
}

/** The user or API token that published a release. */
export function Creator({ createdBy }: Pick<Release, "createdBy">) {
  const t = useTranslations("releases.details");
  if (!createdBy) return <span className="text-muted-foreground">{t("unknown")}</span>;
  if (createdBy.kind === "user") return createdBy.name;
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5">
      <KeyRound role="img" aria-label={t("token")} className="size-3.5 shrink-0 text-muted-foreground" />
      <span className="truncate">{createdBy.name}</span>
    </span>
  );
}

/** The metadata of a build. */
export function MetadataCard({ metadata }: Pick<Release, "metadata">) {
  const t = useTranslations("releases.metadata");
  const known: Record<string, string> = {
    gitCommit: t("known.gitCommit"),
    gitBranch: t("known.gitBranch"),
    buildUrl: t("known.buildUrl"),
  };
  const items: Fact[] = Object.entries(metadata).map(([key, value]) => ({
    label: Object.hasOwn(known, key) ? (known[key] as string) : key,
    value: isAddress(value) ? <OutsideLink href={value} /> : <Copyable label={key} value={value} />,
  }));
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("title")}</CardTitle>
      </CardHeader>
      <CardContent>
        <Facts items={items} />
      </CardContent>
    </Card>
  );
}
