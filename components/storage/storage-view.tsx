import { HardDrive } from "lucide-react";
import { useFormatter, useLocale, useTranslations } from "next-intl";
import { Bytes } from "@/components/common/bytes";
import { DataTable, type DataTableColumn } from "@/components/common/data-table/data-table";
import { EmptyState } from "@/components/common/empty-state";
import { Facts } from "@/components/common/facts";
import { HoverLink } from "@/components/common/hover-link";
import { Nothing } from "@/components/common/nothing";
import { RelativeTime } from "@/components/common/relative-time";
import { releaseName } from "@/components/common/releases/release-name";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import { cn } from "@/components/ui/cn";
import type { Storage } from "@/lib/features/retention/schema";
import { formatBytes } from "@/lib/kernel/format-bytes";
import { contextPath, PAGES, releasePath } from "@/lib/kernel/navigation/pages";
import { STORAGE_KINDS } from "./kinds";
import { StorageChart } from "./storage-chart";

/** What the files of releases take, by application, environment and kind. */
export function StorageView({ storage }: { storage: Storage }) {
  const t = useTranslations("storage");
  const { all, apps, moreApps, largest } = storage;
  const taking = apps.filter(({ total }) => total > 0);
  return (
    <>
      <Totals storage={storage} />
      {taking.length === 0 ? (
        <EmptyState icon={<HardDrive />} title={t("empty.title")} description={t("empty.description")} />
      ) : (
        <>
          <Card>
            <CardContent>
              <StorageChart apps={taking} />
            </CardContent>
          </Card>
          <UsageTable apps={taking} moreApps={moreApps} all={all} />
        </>
      )}
      {largest.length > 0 && (
        <Card>
          <CardHeader>
            <CardTitle>{t("largest")}</CardTitle>
          </CardHeader>
          <CardContent>
            <ol className="divide-y divide-border">
              {largest.map((release) => (
                <li key={release.id} className="flex items-center justify-between gap-4 py-2">
                  <span className="flex min-w-0 flex-col">
                    <HoverLink href={releasePath(release.id)} className="truncate font-medium hover:underline">
                      {release.displayName} <span className="font-mono">{releaseName(release)}</span>
                    </HoverLink>
                    <span className="truncate text-muted-foreground text-xs leading-4.5">
                      {release.app.name} · {release.environment.name} · {release.platform.name} ·{" "}
                      <RelativeTime date={release.deployDate} />
                    </span>
                  </span>
                  <Bytes value={release.size} className="shrink-0 tabular-nums" />
                </li>
              ))}
            </ol>
          </CardContent>
        </Card>
      )}
    </>
  );
}

function Totals({ storage }: { storage: Storage }) {
  const t = useTranslations("storage");
  const { usedBytes, freeBytes, imageBytes, sharedBytes, all } = storage;
  const willFree = [
    ...(all.bytes.bin > 0
      ? [<span key="bin">{t.rich("willFreeBin", { bytes: () => <Bytes value={all.bytes.bin} /> })}</span>]
      : []),
    ...(all.due.bytes > 0
      ? [<span key="due">{t.rich("willFreeDue", { bytes: () => <Bytes value={all.due.bytes} /> })}</span>]
      : []),
  ];
  return (
    <Card>
      <CardContent>
        <Facts
          items={[
            { label: t("used"), value: <Bytes value={usedBytes} className="font-semibold tabular-nums" /> },
            ...(freeBytes === null
              ? []
              : [{ label: t("free"), value: <Bytes value={freeBytes} className="tabular-nums" /> }]),
            { label: t("images"), value: <Bytes value={imageBytes} className="tabular-nums" /> },
            ...(willFree.length > 0
              ? [{ label: t("willFree"), value: <span className="flex flex-col gap-0.5">{willFree}</span> }]
              : []),
          ]}
        />
        {sharedBytes > 0 && (
          <p className="text-pretty text-muted-foreground text-xs leading-4.5">
            {t.rich("shared", { bytes: () => <Bytes value={sharedBytes} /> })}
          </p>
        )}
      </CardContent>
    </Card>
  );
}

type UsageRow = Storage["all"] & {
  id: string;
  name: string;
  href: string;
  /** Whether it is an environment of the application above it. */
  isPart: boolean;
};

/** A row for each application, and below it for each of its environments if it has several. */
function toRows(apps: Storage["apps"]): UsageRow[] {
  return apps.flatMap(({ app, environments, ...usage }) => [
    { ...usage, id: app.id, name: app.name, href: contextPath(PAGES.adminApp, app.id), isPart: false },
    ...environments
      .filter(({ total }) => environments.length > 1 && total > 0)
      .map(({ environment, ...ofEnvironment }) => ({
        ...ofEnvironment,
        id: environment.id,
        name: environment.name,
        href: contextPath(PAGES.adminEnvironment, app.id, environment.id),
        isPart: true,
      })),
  ]);
}

function UsageTable({ apps, moreApps, all }: Pick<Storage, "apps" | "moreApps" | "all">) {
  const t = useTranslations("storage");
  const format = useFormatter();
  const locale = useLocale();
  const kinds = STORAGE_KINDS.filter(({ kind }) => all.bytes[kind] > 0).map(({ kind }) => kind);
  return (
    <DataTable
      label={t("byApp")}
      rows={toRows(apps)}
      rowKey={({ id }) => id}
      total={apps.length}
      totalLabel={[
        t("apps", { count: apps.length }),
        ...(moreApps > 0 ? [t("moreApps", { count: moreApps })] : []),
      ].join(" ")}
      nextCursor={null}
      search={false}
      empty={null}
      columns={[
        { key: "app", header: t("app"), className: "lg:max-w-60 xl:max-w-96", cell: (row) => <UsageName {...row} /> },
        {
          key: "total",
          header: t("total"),
          align: "end",
          phone: () => true,
          className: "whitespace-nowrap tabular-nums",
          cell: ({ total, isPart }) => <Bytes value={total} className={isPart ? MUTED : "font-medium"} />,
        },
        {
          key: "releases",
          header: t("releases"),
          align: "end",
          phone: "fact",
          className: "whitespace-nowrap tabular-nums",
          cell: ({ releases, isPart }) => (
            <span className={cn(isPart && cn(MUTED, "max-lg:pl-4"))}>
              <span className="max-lg:hidden">{format.number(releases)}</span>
              <span className="lg:hidden">{t("releaseCount", { count: releases })}</span>
            </span>
          ),
        },
        ...kinds.map(
          (kind): DataTableColumn<UsageRow> => ({
            key: kind,
            header: t(`kinds.${kind}`),
            align: "end",
            className: "whitespace-nowrap tabular-nums",
            cell: ({ bytes, isPart }) =>
              bytes[kind] > 0 ? (
                <Bytes value={bytes[kind]} className={cn(isPart && MUTED)} />
              ) : (
                <Nothing label={formatBytes(0, locale)} />
              ),
          }),
        ),
      ]}
    />
  );
}

const MUTED = "text-muted-foreground";

function UsageName({ name, href, isPart }: UsageRow) {
  return (
    <span className={cn("block truncate", isPart && "pl-4 font-normal")}>
      {/* On phones, it is in front of the button that opens the row. */}
      <HoverLink href={href} title={name} className={cn("relative z-1 hover:underline", isPart && MUTED)}>
        {name}
      </HoverLink>
    </span>
  );
}
