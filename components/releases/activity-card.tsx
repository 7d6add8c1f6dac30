import { Braces, Download, Eye, KeyRound, Upload } from "lucide-react";
import { useTranslations } from "next-intl";
import { CompareButton } from "@/components/common/configuration/compare-button";
import { DateTime } from "@/components/common/date-time";
import { type Fact, Facts } from "@/components/common/facts";
import { RelativeTime } from "@/components/common/relative-time";
import { openedDevice } from "@/components/common/releases/opened-device";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import type { OperationOutput } from "@/lib/client/operation-types";
import type { Release } from "@/lib/features/releases/schema";
import { Copyable } from "./installer-facts";
import { isAddress, OutsideLink } from "./outside-link";

export type ActivityCardProps = {
  release: OperationOutput<"apps/get-testing-deploy-by-id">;
  changedKeys: number | null;
  /** Whether it tells the downloads; the card of its installations has them where it is shown. */
  withDownloads: boolean;
};

/** Who published a release and when, how often it was downloaded, when it was opened, and the configuration that it was made with. */
export function ActivityCard({ release, changedKeys, withDownloads }: ActivityCardProps) {
  const t = useTranslations("releases.details");
  const { deployDate, createdBy, downloads, lastDownloadAt, openings, environment, configurationVersion } = release;
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("activity")}</CardTitle>
      </CardHeader>
      <CardContent>
        <ul className="flex flex-col gap-2.5 [&>li]:flex [&>li]:min-w-0 [&>li]:items-start [&>li]:gap-2.5">
          <li>
            <Upload aria-hidden className={ICON} />
            <span className="min-w-0 break-words">
              {t.rich("publishedBy", { name: () => <Creator createdBy={createdBy} /> })}{" "}
              <span className="text-muted-foreground">
                <RelativeTime date={deployDate} /> · <DateTime date={deployDate} withTime />
              </span>
            </span>
          </li>
          {withDownloads && (
            <li>
              <Download aria-hidden className={ICON} />
              <span>
                {t("downloadSentence", { count: downloads })}{" "}
                {lastDownloadAt && (
                  <span className="text-muted-foreground">
                    {t.rich("lastDownload", { when: () => <RelativeTime date={lastDownloadAt} /> })}
                  </span>
                )}
              </span>
            </li>
          )}
          <li>
            <Eye aria-hidden className={ICON} />
            <Openings openings={openings} />
          </li>
          {configurationVersion !== null && changedKeys !== null && (
            <li>
              <Braces aria-hidden className={ICON} />
              <ConfigurationSince
                environmentId={environment.id}
                version={configurationVersion}
                changedKeys={changedKeys}
              />
            </li>
          )}
        </ul>
      </CardContent>
    </Card>
  );
}

const ICON = "mt-0.5 size-4 shrink-0 text-muted-foreground";

/** When the page was last opened, and on which devices. */
function Openings({ openings }: Pick<ActivityCardProps["release"], "openings">) {
  const t = useTranslations("releases");
  const [latest, ...others] = openings;
  if (!latest) return <span>{t("details.neverOpened")}</span>;
  const deviceName = (opening: typeof latest) => openedDevice(opening, t("computer"));
  return (
    <span className="flex min-w-0 flex-col gap-1">
      <span>
        {t.rich("details.lastOpened", { when: () => <RelativeTime date={latest.lastOpenedAt} /> })}{" "}
        <span className="text-muted-foreground">· {deviceName(latest)}</span>
      </span>
      {others.map((opening) => (
        <span key={opening.device} className="text-muted-foreground text-xs">
          {deviceName(opening)} · <RelativeTime date={opening.lastOpenedAt} />
        </span>
      ))}
    </span>
  );
}

type ConfigurationSinceProps = { environmentId: string; version: number; changedKeys: number };

/** The configuration that a release was made with, and what has changed since. */
function ConfigurationSince({ environmentId, version, changedKeys }: ConfigurationSinceProps) {
  const t = useTranslations("releases.details");
  const history = useTranslations("configuration.history");
  return (
    <span className="flex flex-col items-start gap-1">
      {t("configuration")}: {history("version", { version })}
      <span className="text-muted-foreground text-xs">{t("changedKeys", { count: changedKeys })}</span>
      {changedKeys > 0 && (
        <CompareButton label="compare" environmentId={environmentId} from={version} to="current" version={version} />
      )}
    </span>
  );
}

/** The user or API token that published a release. */
function Creator({ createdBy }: Pick<Release, "createdBy">) {
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
