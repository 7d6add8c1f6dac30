import { HardDrive } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { Bytes } from "@/components/common/bytes";
import { EmptyState } from "@/components/common/empty-state";
import { Facts } from "@/components/common/facts";
import { HoverLink } from "@/components/common/hover-link";
import { RelativeTime } from "@/components/common/relative-time";
import { releaseName } from "@/components/common/releases/release-name";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import { cn } from "@/components/ui/cn";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import type { Storage } from "@/lib/features/retention/schema";
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
        <Card>
          <CardContent className="gap-6">
            <StorageChart apps={taking} />
            <UsageTable apps={taking} all={all} />
            {moreApps > 0 && <p className="text-muted-foreground text-xs">{t("moreApps", { count: moreApps })}</p>}
          </CardContent>
        </Card>
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

function UsageTable({ apps, all }: Pick<Storage, "apps" | "all">) {
  const t = useTranslations("storage");
  const kinds = STORAGE_KINDS.filter(({ kind }) => all.bytes[kind] > 0).map(({ kind }) => kind);
  return (
    <Table aria-label={t("byApp")}>
      <TableHeader>
        <TableRow>
          <TableHead>{t("app")}</TableHead>
          <TableHead className="text-right">{t("total")}</TableHead>
          <TableHead className="text-right">{t("releases")}</TableHead>
          {kinds.map((kind) => (
            <TableHead key={kind} className="text-right">
              {t(`kinds.${kind}`)}
            </TableHead>
          ))}
        </TableRow>
      </TableHeader>
      <TableBody>
        {apps.flatMap(({ app, environments, ...usage }) => [
          <UsageRow key={app.id} name={app.name} href={contextPath(PAGES.adminApp, app.id)} kinds={kinds} {...usage} />,
          ...environments
            .filter(({ total }) => environments.length > 1 && total > 0)
            .map(({ environment, ...ofEnvironment }) => (
              <UsageRow
                key={environment.id}
                name={environment.name}
                href={contextPath(PAGES.adminEnvironment, app.id, environment.id)}
                kinds={kinds}
                isPart
                {...ofEnvironment}
              />
            )),
        ])}
      </TableBody>
    </Table>
  );
}

type UsageRowProps = Storage["all"] & {
  name: string;
  href: string;
  kinds: readonly (keyof Storage["all"]["bytes"])[];
  /** Whether it is an environment of the application above it. */
  isPart?: boolean;
};

function UsageRow({ name, href, kinds, isPart = false, releases, bytes, total }: UsageRowProps) {
  const format = useFormatter();
  const numbers = "whitespace-nowrap text-right tabular-nums";
  return (
    <TableRow className={cn(isPart && "text-muted-foreground")}>
      <TableCell className={cn(isPart && "pl-7")}>
        <HoverLink href={href} className={cn("hover:underline", !isPart && "font-medium")}>
          {name}
        </HoverLink>
      </TableCell>
      {/* Phones show the first columns, and the others by scrolling. */}
      <TableCell className={cn(numbers, !isPart && "font-medium")}>
        <Bytes value={total} />
      </TableCell>
      <TableCell className={numbers}>{format.number(releases)}</TableCell>
      {kinds.map((kind) => (
        <TableCell key={kind} className={numbers}>
          {bytes[kind] > 0 ? <Bytes value={bytes[kind]} /> : "–"}
        </TableCell>
      ))}
    </TableRow>
  );
}
