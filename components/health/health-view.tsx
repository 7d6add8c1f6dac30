import { CircleAlert, CircleCheck, type LucideIcon, TriangleAlert } from "lucide-react";
import { useFormatter, useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { DateTime } from "@/components/common/date-time";
import { type Fact, Facts } from "@/components/common/facts";
import { LinkButton } from "@/components/common/link-button";
import { Nothing } from "@/components/common/nothing";
import { RelativeTime } from "@/components/common/relative-time";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { Card, CardContent } from "@/components/ui/card";
import { cn } from "@/components/ui/cn";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { CHECKS, type Check, type Health, type Severity } from "@/lib/features/health/schema";
import { formatBytes } from "@/lib/kernel/format-bytes";
import { PAGES, pagePath } from "@/lib/kernel/navigation/pages";
import { RetryButton } from "./retry-button";
import { TestMailButton } from "./test-mail-button";

const ICONS: Record<Severity, LucideIcon> = { ok: CircleCheck, warning: TriangleAlert, problem: CircleAlert };
const COLORS: Record<Severity, string> = { ok: "text-success", warning: "text-warning", problem: "text-danger" };
const TONES = { ok: "success", warning: "warning", problem: "danger" } as const;

const code = (text: ReactNode) => <code className="font-mono text-[0.8125rem]">{text}</code>;

/** The state of what the console runs on, with what each state means and what to do. */
export function HealthView({ health }: { health: Health }) {
  const t = useTranslations("health");
  const { severity, checkedAt } = health;
  const count = CHECKS.filter((check) => health[check].severity !== "ok").length;
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Alert tone={TONES[severity]} title={t(`summary.${severity}`, { count })}>
        <p>
          {t.rich("checkedAt", {
            time: () => <RelativeTime date={checkedAt} />,
            version: health.version,
          })}
        </p>
      </Alert>
      <div className="grid min-w-0 gap-4 xl:grid-cols-2 xl:[&>:last-child:nth-child(odd)]:col-span-2">
        <Database {...health} />
        <Store {...health} />
        <Disk {...health} />
        <Mail {...health} />
        <Audit {...health} />
        <Certificates {...health} />
        <Backup {...health} />
      </div>
      <Jobs {...health} />
      <Instances {...health} />
    </div>
  );
}

/** A check: its state, what that means, what to do, and its figures. */
function CheckCard({
  check,
  health,
  facts,
  action,
  children,
}: {
  check: Check;
  health: { severity: Severity; finding: string };
  facts: Fact[];
  action?: { href: string; label: string };
  children?: ReactNode;
}) {
  const t = useTranslations("health");
  const { severity, finding } = health;
  const Icon = ICONS[severity];
  return (
    <Card>
      <CardContent>
        <div className="flex min-w-0 items-start gap-3">
          <Icon aria-hidden className={cn("mt-0.5 size-4.5 shrink-0", COLORS[severity])} />
          <div className="flex min-w-0 flex-1 flex-col gap-1">
            <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-3 gap-y-1">
              <h2 className="min-w-0 break-words font-semibold leading-5 tracking-tight">{t(`checks.${check}`)}</h2>
              <Badge tone={TONES[severity]}>{t(`severity.${severity}`)}</Badge>
            </div>
            <p className="text-pretty break-words text-muted-foreground leading-5">
              {t.rich(`findings.${check}.${finding}` as "findings.database.ok", { code })}
            </p>
          </div>
        </div>
        {facts.length > 0 && <Facts items={facts} />}
        {children}
        {action && (
          <LinkButton href={action.href} variant="secondary" size="sm" className="self-start">
            {action.label}
          </LinkButton>
        )}
      </CardContent>
    </Card>
  );
}

/** Formats of the figures in the user's language. */
function useFigures() {
  const t = useTranslations("health");
  const format = useFormatter();
  const locale = useLocale();
  return {
    response: (ms: number | null) => (ms === null ? t("noAnswer") : t("milliseconds", { ms })),
    bytes: (bytes: number | null) => (bytes === null ? t("unknown") : formatBytes(bytes, locale)),
    count: (count: number) => format.number(count),
  };
}

function Database({ database }: Health) {
  const t = useTranslations("health");
  const { response, count } = useFigures();
  const { pool } = database;
  return (
    <CheckCard
      check="database"
      health={database}
      facts={[
        { label: t("facts.response"), value: response(database.responseMs) },
        { label: t("facts.databaseVersion"), value: <span className="font-mono">{database.version}</span> },
        { label: t("facts.pool"), value: t("pool", { used: pool.size - pool.idle, max: pool.max }) },
        { label: t("facts.poolWaiting"), value: count(pool.waiting) },
      ]}
    />
  );
}

function Store({ store }: Health) {
  const t = useTranslations("health");
  const { response, bytes, count } = useFigures();
  return (
    <CheckCard
      check="store"
      health={store}
      facts={[
        { label: t("facts.response"), value: response(store.responseMs) },
        { label: t("facts.storeKind"), value: t(`storeKind.${store.kind}`) },
        { label: t("facts.used"), value: bytes(store.usedBytes) },
        { label: t("facts.free"), value: bytes(store.freeBytes) },
        {
          label: t("facts.uploads"),
          value: t("uploads", { count: store.uploads.count, size: bytes(store.uploads.bytes) }),
        },
        ...(store.lostFiles > 0 ? [{ label: t("facts.lostFiles"), value: count(store.lostFiles) }] : []),
        {
          label: t("facts.sweptAt"),
          value: store.sweptAt === null ? t("never") : <RelativeTime date={store.sweptAt} />,
        },
      ]}
    />
  );
}

function Disk({ disk }: Health) {
  const t = useTranslations("health");
  const { bytes } = useFigures();
  return (
    <CheckCard
      check="disk"
      health={disk}
      facts={[
        { label: t("facts.diskFree"), value: bytes(disk.freeBytes) },
        { label: t("facts.diskSize"), value: bytes(disk.totalBytes) },
      ]}
    />
  );
}

function Mail({ mail }: Health) {
  const t = useTranslations("health");
  const { count } = useFigures();
  return (
    <CheckCard
      check="mail"
      health={mail}
      facts={[
        { label: t("facts.mailServer"), value: t(mail.configured ? "configured" : "notConfigured") },
        { label: t("facts.waiting"), value: count(mail.waiting) },
        {
          label: t("facts.oldest"),
          value: mail.oldestAt === null ? t("noMail") : <RelativeTime date={mail.oldestAt} />,
        },
        { label: t("facts.failedMails"), value: count(mail.failed) },
      ]}
    >
      <TestMailButton />
    </CheckCard>
  );
}

function Audit({ audit }: Health) {
  const t = useTranslations("health");
  const { count } = useFigures();
  return (
    <CheckCard
      check="audit"
      health={audit}
      facts={[
        { label: t("facts.records"), value: count(audit.records) },
        { label: t("facts.verifiedRecords"), value: count(audit.verified?.records ?? 0) },
        {
          label: t("facts.verifiedAt"),
          value: audit.verified === null ? t("never") : <RelativeTime date={audit.verified.at} />,
        },
      ]}
      action={{ href: PAGES.adminLogs, label: t("openAudit") }}
    />
  );
}

function Certificates({ certificates }: Health) {
  const t = useTranslations("health");
  const { count } = useFigures();
  const { expired, expiring, nextAt } = certificates;
  return (
    <CheckCard
      check="certificates"
      health={certificates}
      facts={[
        { label: t("facts.expired"), value: count(expired) },
        { label: t("facts.expiring"), value: count(expiring) },
        { label: t("facts.next"), value: nextAt === null ? t("noExpiry") : <DateTime date={nextAt} /> },
      ]}
      action={
        expired + expiring > 0
          ? { href: pagePath(PAGES.expiry, { kind: "certificate" }), label: t("openCertificates") }
          : undefined
      }
    />
  );
}

function Backup({ backup }: Health) {
  const t = useTranslations("health");
  const { bytes } = useFigures();
  return (
    <CheckCard
      check="backup"
      health={backup}
      facts={[
        {
          label: t("facts.backupAt"),
          value: backup.succeededAt === null ? t("never") : <RelativeTime date={backup.succeededAt} />,
        },
        { label: t("facts.backupFiles"), value: t("uploads", { count: backup.objects, size: bytes(backup.bytes) }) },
        ...(backup.failure === null ? [] : [{ label: t("facts.backupFailure"), value: backup.failure }]),
      ]}
    />
  );
}

// On phones, a table must not be wider than the screen.
const NOWRAP = "sm:whitespace-nowrap";
const HEAD = "max-sm:whitespace-normal";
const WIDE = "max-sm:hidden";

function Jobs({ jobs }: Health) {
  const t = useTranslations("health");
  const locale = useLocale();
  const { count } = useFigures();
  const queueName = (queue: string) => {
    const key = `queues.${queue}` as "queues.other";
    // A newer version may have queues that this one does not know.
    return t(t.has(key) ? key : "queues.other");
  };
  const queues = jobs.queues.toSorted((one, other) =>
    queueName(one.queue).localeCompare(queueName(other.queue), locale),
  );
  return (
    <CheckCard check="jobs" health={jobs} facts={[]}>
      <Table aria-label={t("checks.jobs")}>
        <TableHeader>
          <TableRow>
            <TableHead className={HEAD}>{t("columns.queue")}</TableHead>
            <TableHead className={cn(HEAD, "text-right")}>{t("columns.waiting")}</TableHead>
            <TableHead className={cn(WIDE, "text-right")}>{t("columns.active")}</TableHead>
            <TableHead className={HEAD}>{t("columns.oldest")}</TableHead>
          </TableRow>
        </TableHeader>
        <TableBody>
          {queues.map(({ queue, waiting, active, oldestAt }) => (
            <TableRow key={queue}>
              <TableCell>{queueName(queue)}</TableCell>
              <TableCell className="text-right tabular-nums">{count(waiting)}</TableCell>
              <TableCell className={cn(WIDE, "text-right tabular-nums")}>{count(active)}</TableCell>
              <TableCell className={NOWRAP}>
                {oldestAt === null ? <Nothing label={t("noTask")} /> : <RelativeTime date={oldestAt} />}
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
      {jobs.failures.length > 0 && (
        <section className="flex min-w-0 flex-col gap-2">
          <h3 className="font-medium">{t("failures")}</h3>
          <ul className="divide-y divide-border border-border border-y">
            {jobs.failures.map(({ id, queue, reason, failedAt }) => (
              <li
                key={id}
                className="flex min-w-0 flex-col gap-2 py-2.5 sm:flex-row sm:items-start sm:justify-between sm:gap-4"
              >
                <div className="flex min-w-0 flex-col gap-0.5">
                  <div className="flex min-w-0 flex-wrap items-baseline gap-x-3">
                    <span className="min-w-0 break-words font-medium">{queueName(queue)}</span>
                    <span className="text-muted-foreground text-xs">
                      <RelativeTime date={failedAt} />
                    </span>
                  </div>
                  <p className="min-w-0 break-words font-mono text-muted-foreground text-xs leading-5">
                    {reason === "" ? t("noReason") : reason}
                  </p>
                </div>
                <RetryButton id={id} label={t("retryLabel", { job: queueName(queue) })} done={t("retried")}>
                  {t("retry")}
                </RetryButton>
              </li>
            ))}
          </ul>
        </section>
      )}
    </CheckCard>
  );
}

function Instances({ instances }: Health) {
  const t = useTranslations("health");
  return (
    <CheckCard check="instances" health={instances} facts={[]}>
      <Table aria-label={t("checks.instances")}>
        <TableHeader>
          <TableRow>
            <TableHead className={HEAD}>{t("columns.instance")}</TableHead>
            <TableHead className={HEAD}>{t("columns.state")}</TableHead>
            <TableHead className={WIDE}>{t("columns.version")}</TableHead>
            <TableHead className={WIDE}>{t("columns.started")}</TableHead>
            <TableHead className={WIDE}>{t("columns.seen")}</TableHead>
          </TableRow>
        </TableHeader>
        <TableBody>
          {instances.items.map(({ id, name, version, startedAt, seenAt, running, current }) => (
            <TableRow key={id}>
              <TableCell>
                <span className="break-all font-mono">{name}</span>
                {current && <span className="ml-2 text-muted-foreground text-xs">{t("thisInstance")}</span>}
                <span className="block text-muted-foreground text-xs sm:hidden">
                  <span className="font-mono">{version}</span> · <RelativeTime date={seenAt} />
                </span>
              </TableCell>
              <TableCell>
                <Badge tone={running ? "success" : "warning"}>{t(running ? "running" : "gone")}</Badge>
              </TableCell>
              <TableCell className={cn(WIDE, "font-mono")}>{version}</TableCell>
              <TableCell className={cn(WIDE, NOWRAP)}>
                <DateTime date={startedAt} withTime />
              </TableCell>
              <TableCell className={cn(WIDE, NOWRAP)}>
                <RelativeTime date={seenAt} />
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </CheckCard>
  );
}
