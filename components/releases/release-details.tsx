import { KeyRound } from "lucide-react";
import { useTranslations } from "next-intl";
import { Bytes } from "@/components/common/bytes";
import { DateTime } from "@/components/common/date-time";
import { type Fact, Facts } from "@/components/common/facts";
import { RelativeTime } from "@/components/common/relative-time";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import type { Release } from "@/lib/features/releases/schema";
import { Copyable } from "./installer-facts";
import { isAddress, OutsideLink } from "./rich-text";

/** The publisher, the date and the file of a release. */
export function ReleaseDetails({ release }: { release: Release }) {
  const t = useTranslations("releases.details");
  const { deployDate, createdBy, downloads, size, fileName, sha256 } = release;
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
