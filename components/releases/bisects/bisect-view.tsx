import { useFormatter, useTranslations } from "next-intl";
import { EnvironmentBadge } from "@/components/common/apps/environment-badge";
import { CopyField } from "@/components/common/copy-field";
import { Facts } from "@/components/common/facts";
import { HoverLink } from "@/components/common/hover-link";
import { LinkButton } from "@/components/common/link-button";
import { type Crumb, PageHeader } from "@/components/common/page-header";
import { releaseName } from "@/components/common/releases/release-name";
import { ReleaseNotes } from "@/components/common/releases/release-notes";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import { Progress } from "@/components/ui/progress";
import { filesOfBuild } from "@/lib/client/files-of-build";
import type { OperationOutput } from "@/lib/client/operation-types";
import type { Bisect, BisectRelease } from "@/lib/features/bisects/schema";
import { releasePath } from "@/lib/kernel/navigation/pages";
import { ChangesCard } from "../changes-card";
import type { InstallCardProps } from "../installing/install-card";
import { InstallCard } from "../installing/install-on-demand";
import { installerName } from "../release-groups";
import { releaseRights, releaseSummary } from "../release-summary";
import { BisectAnswers, UndoAnswer } from "./bisect-answers";
import { BisectMenu } from "./bisect-menu";

export type BisectViewProps = Pick<InstallCardProps, "device" | "ownDevices" | "registerDevice"> & {
  bisect: Bisect;
  /** The release to try next, or if there is none, the bad one; null if that was deleted. */
  release: OperationOutput<"apps/get-testing-deploy-by-id"> | null;
  /** The releases of the app in this environment. */
  listHref: string;
  breadcrumbs: Crumb[];
};

/**
 * The page of a search for the build that brought a fault. On phones, it is used with one hand: the build is installed in the middle,
 * and the answers are at the bottom.
 */
export function BisectView(props: BisectViewProps) {
  const t = useTranslations("bisects");
  const { bisect, breadcrumbs } = props;
  const { app, environment, platform, good, bad, done } = bisect;
  return (
    <>
      <PageHeader
        breadcrumbs={breadcrumbs}
        title={t("range", { good: releaseName(good), bad: releaseName(bad) })}
        description={
          <span className="flex flex-wrap items-center gap-1.5">
            {app.name}
            <EnvironmentBadge name={environment.name} />
            <Badge tone="outline">{platform.name}</Badge>
          </span>
        }
        secondary={<BisectMenu id={bisect.id} name={`${releaseName(good)} – ${releaseName(bad)}`} />}
      />
      {done ? <Result {...props} /> : <Step {...props} />}
    </>
  );
}

/** How far the search is. */
function Steps({ answers, stepsLeft, remaining, deleted }: Bisect) {
  const t = useTranslations("bisects");
  return (
    <div className="flex flex-col gap-2">
      <p role="status" className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <span className="font-medium">{t("steps", { count: stepsLeft })}</span>
        <span className="text-muted-foreground">{t("remaining", { count: remaining })}</span>
      </p>
      <Progress value={(answers / (answers + stepsLeft)) * 100} label={t("progress")} />
      <Deleted count={deleted} />
    </div>
  );
}

function Deleted({ count }: { count: number }) {
  const t = useTranslations("bisects");
  if (count === 0) return null;
  return <p className="text-pretty text-muted-foreground text-sm leading-5">{t("deleted", { count })}</p>;
}

function Step({ bisect, release, listHref, device, ownDevices, registerDevice }: BisectViewProps) {
  const t = useTranslations("bisects");
  if (!release) return null;
  const rights = releaseRights(release.scopes);
  const files = filesOfBuild([release]).map((file) => ({
    id: file.id,
    label: installerName(file),
    kind: file.installer.kind,
  }));
  return (
    <>
      <Steps {...bisect} />
      {/* On phones, the answers cover more of the end of the page than other actions. */}
      <div className="grid items-start gap-4 max-lg:pb-22 lg:grid-cols-[minmax(0,1fr)_20rem] xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex flex-col gap-4 lg:col-start-2 lg:row-start-1">
          <InstallCard
            key={release.id}
            release={releaseSummary(release)}
            rights={rights}
            publisher={release.createdBy?.kind === "user" ? release.createdBy.name : null}
            files={files}
            listHref={listHref}
            device={device}
            ownDevices={ownDevices}
            registerDevice={registerDevice}
            apkHref={null}
            counterpartHref={null}
            otherSystemHref={null}
            inPlace
          />
        </div>
        <div className="flex min-w-0 flex-col gap-4 lg:row-start-1">
          <BisectAnswers bisectId={bisect.id} releaseId={release.id} name={releaseName(release)} last={bisect.last} />
          <Card>
            <CardHeader>
              <CardTitle>
                <HoverLink href={releasePath(release.id)} className="text-link underline-offset-4 hover:underline">
                  {release.displayName} <span className="tabular-nums">{releaseName(release)}</span>
                </HoverLink>
              </CardTitle>
            </CardHeader>
            <CardContent className="pt-2">
              <ReleaseNotes descriptionHtml={release.descriptionHtml} />
            </CardContent>
          </Card>
          <p className="text-pretty text-muted-foreground text-sm leading-5">{t("resume")}</p>
        </div>
      </div>
    </>
  );
}

/** The result of the search: the build that introduced the fault, or the builds among which it is. */
function Result({ bisect, release }: BisectViewProps) {
  const { firstBad, lastGood, suspects, deleted, diff, good } = bisect;
  const t = useTranslations("bisects");
  return (
    <div className="flex flex-col gap-4">
      {firstBad && lastGood ? (
        <Found firstBad={firstBad} lastGood={lastGood} deleted={deleted} />
      ) : (
        <Card>
          <CardHeader>
            <CardTitle>{t("suspects")}</CardTitle>
          </CardHeader>
          <CardContent className="flex flex-col gap-3">
            <p className="text-pretty leading-5">{t("suspectsDescription")}</p>
            <ul className="flex flex-col divide-y divide-border">
              {suspects.map((suspect) => (
                <li key={suspect.id} className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 py-2">
                  <ReleaseLink {...suspect} />
                  <Published date={suspect.deployDate} />
                </li>
              ))}
            </ul>
            <Deleted count={deleted} />
          </CardContent>
        </Card>
      )}
      {diff && release && <ChangesCard release={release} previous={good} />}
      <UndoAnswer bisectId={bisect.id} last={bisect.last} />
    </div>
  );
}

function Found({
  firstBad,
  lastGood,
  deleted,
}: {
  firstBad: NonNullable<Bisect["firstBad"]>;
  lastGood: BisectRelease;
  deleted: number;
}) {
  const t = useTranslations("bisects");
  const { commit, descriptionHtml, deployDate, id } = firstBad;
  return (
    <>
      <Alert tone="success" title={t("found", { name: releaseName(firstBad) })}>
        {t("foundDescription", { good: releaseName(lastGood) })}
      </Alert>
      <Card>
        <CardHeader>
          <CardTitle>{t("firstBad")}</CardTitle>
        </CardHeader>
        <CardContent className="flex flex-col gap-4 pt-2">
          {descriptionHtml !== null && <ReleaseNotes descriptionHtml={descriptionHtml} />}
          <Facts
            items={[
              { label: t("published"), value: <Published date={deployDate} /> },
              { label: t("lastGood"), value: <ReleaseLink {...lastGood} /> },
            ]}
          />
          {commit && <CopyField label={t("commit")} value={commit} />}
          {lastGood.commit && <CopyField label={t("commitBefore")} value={lastGood.commit} />}
          <Deleted count={deleted} />
          {firstBad.deleted ? (
            <p className="text-muted-foreground">{t("isDeleted")}</p>
          ) : (
            <LinkButton href={releasePath(id)} variant="secondary" size="lg" className="self-start max-lg:self-stretch">
              {t("open")}
            </LinkButton>
          )}
        </CardContent>
      </Card>
    </>
  );
}

/** A release by its name, with the link to its page if it exists. */
function ReleaseLink({ deleted, ...release }: BisectRelease) {
  const t = useTranslations("bisects");
  if (deleted) {
    return (
      <span className="inline-flex flex-wrap items-center gap-1.5">
        <span className="font-mono">{releaseName(release)}</span>
        <Badge tone="outline">{t("deletedBadge")}</Badge>
      </span>
    );
  }
  return (
    <HoverLink
      href={releasePath(release.id)}
      className="inline-flex min-h-6 items-center font-mono text-link underline-offset-4 hover:underline"
    >
      {releaseName(release)}
    </HoverLink>
  );
}

function Published({ date }: { date: string }) {
  const format = useFormatter();
  return (
    <time dateTime={date} className="text-muted-foreground">
      {format.dateTime(new Date(date), { dateStyle: "medium", timeStyle: "short" })}
    </time>
  );
}
