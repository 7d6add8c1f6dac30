import { diffLists, hasNotableSizeChange, type InstallerKind, sdkChanges } from "@slipway/installers";
import { ArrowDown, ArrowRight, ArrowUp, Equal, KeyRound, type LucideIcon, Minus, Plus, RefreshCw } from "lucide-react";
import { useFormatter, useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Disclosure } from "@/components/common/disclosure";
import { cn } from "@/components/ui/cn";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import type { ReleaseDiff } from "@/lib/features/releases/schema";
import { formatBytes } from "@/lib/kernel/format-bytes";
import { permissionGroups } from "./permission-groups";

/** How many files and values of the manifest are shown. */
const SHOWN_ITEMS = 100;

/** The lists that concern those who install it; the others are folded. */
const OPEN_GROUPS: readonly string[] = ["permissions", "entitlements", "features", "urlSchemes"];

/** What two releases differ in. */
export function ReleaseDifference({ diff, kind }: { diff: ReleaseDiff; kind: InstallerKind }) {
  const t = useTranslations("releases.changes");
  const lists = diffLists(diff);
  const open = lists.filter(({ group }) => OPEN_GROUPS.includes(group));
  const levels = sdkChanges(diff, kind);
  const { added, removed, changed } = diff.files;
  return (
    <>
      <ul className="flex flex-col gap-2.5">
        <SizeChange {...diff.size} />
        {levels.map(({ name, change, from, to, raised }) => {
          const excludes = name === "minOs" || name === "minSdk";
          return (
            <Sentence
              key={name}
              icon={excludes ? (raised ? ArrowUp : ArrowDown) : ArrowRight}
              tone={excludes ? (raised ? "attention" : "good") : "neutral"}
            >
              {t(`sdk.${name}`, { change, before: from ?? "", after: to ?? "" })}
            </Sentence>
          );
        })}
        {diff.signing.changed && (
          <Sentence icon={KeyRound} tone="attention">
            {t("signing")}
          </Sentence>
        )}
        {levels.length === 0 && open.length === 0 && !diff.signing.changed && (
          <Sentence icon={Equal} tone="neutral">
            {t("nothingElse")}
          </Sentence>
        )}
      </ul>
      {open.map(({ group, items }) => (
        <section key={group} className="flex flex-col gap-2">
          <h3 className="font-medium">{t(`groups.${group}`)}</h3>
          <Changes items={items} />
        </section>
      ))}
      <div className="flex flex-col gap-1">
        <Disclosure summary={t("groups.size")}>
          <SizesByKind size={diff.size} />
        </Disclosure>
        {diff.files.items.length > 0 && (
          <Disclosure summary={`${t("groups.files")} (${t("counts", { added, removed, changed })})`}>
            <Files files={diff.files} />
          </Disclosure>
        )}
        {lists
          .filter(({ group }) => !OPEN_GROUPS.includes(group))
          .map(({ group, items }) => (
            <Disclosure key={group} summary={`${t(`groups.${group}`)} (${items.length})`}>
              <Changes items={items} />
            </Disclosure>
          ))}
        {diff.manifest.length > 0 && (
          <Disclosure summary={`${t("groups.manifest")} (${diff.manifest.length})`}>
            <Values manifest={diff.manifest} />
          </Disclosure>
        )}
      </div>
    </>
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

function SizeChange({ from, to }: ReleaseDiff["size"]) {
  const t = useTranslations("releases.changes");
  const locale = useLocale();
  const format = useFormatter();
  const share = (to - from) / Math.max(from, 1);
  const size = formatBytes(to, locale);
  const alike = size === formatBytes(from, locale);
  const exact = (bytes: number) => formatBytes(bytes, locale, alike ? 1 : 0);
  if (!hasNotableSizeChange({ from, to })) {
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
      {t(grows ? "larger" : "smaller", { before: exact(from), after: exact(to) })}{" "}
      <span className={cn("font-medium tabular-nums", TONES[tone])}>{percent}</span>
    </Sentence>
  );
}

const CHANGE_STYLES = {
  added: { icon: Plus, tone: "attention" },
  removed: { icon: Minus, tone: "good" },
  changed: { icon: RefreshCw, tone: "neutral" },
} as const;

function ChangeIcon({ change }: { change: keyof typeof CHANGE_STYLES }) {
  const t = useTranslations("releases.changes.change");
  const { icon: Icon, tone } = CHANGE_STYLES[change];
  return (
    <>
      <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", TONES[tone])} />
      <span className="sr-only">{t(change)}: </span>
    </>
  );
}

function Changes({ items }: { items: ReturnType<typeof diffLists>[number]["items"] }) {
  const groups = useTranslations("releases.facts.permissionGroups");
  return (
    <ul className="flex flex-col gap-1.5">
      {items.map(({ change, text }) => {
        // Only names of Android permissions belong to a group.
        const [group] = permissionGroups([text]);
        return (
          <li key={`${change} ${text}`} className="flex min-w-0 items-start gap-2.5 leading-5">
            <ChangeIcon change={change} />
            <span className="min-w-0 break-words">
              <code className="break-all font-mono">{text}</code>
              {group && ` (${groups(group)})`}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function SizesByKind({ size }: { size: ReleaseDiff["size"] }) {
  const t = useTranslations("releases.changes");
  const locale = useLocale();
  const rows = [...size.byKind.map(({ kind, ...sizes }) => ({ name: t(`kinds.${kind}`), ...sizes }))];
  return (
    <Table>
      <TableHeader>
        <TableRow>
          <TableHead className="ps-0">{t("kind")}</TableHead>
          <TableHead className="text-right">{t("before")}</TableHead>
          <TableHead className="pe-0 text-right">{t("after")}</TableHead>
        </TableRow>
      </TableHeader>
      <TableBody>
        {[...rows, { name: t("total"), from: size.from, to: size.to }].map(({ name, from, to }, index) => (
          <TableRow key={name} className={index === rows.length ? "font-medium" : undefined}>
            <TableCell className="ps-0">{name}</TableCell>
            <TableCell className="whitespace-nowrap text-right tabular-nums">{formatBytes(from, locale, 1)}</TableCell>
            <TableCell className="whitespace-nowrap pe-0 text-right tabular-nums">
              {formatBytes(to, locale, 1)}
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function Files({ files }: { files: ReleaseDiff["files"] }) {
  const t = useTranslations("releases.changes");
  const locale = useLocale();
  const shown = files.items.slice(0, SHOWN_ITEMS);
  const isPart = shown.length < files.added + files.removed + files.changed;
  const size = (bytes: number | null) => (bytes === null ? "–" : formatBytes(bytes, locale));
  return (
    <>
      {isPart && <p className="pb-1 text-muted-foreground">{t("largest", { count: shown.length })}</p>}
      <ul className="flex flex-col divide-y divide-border">
        {shown.map(({ path, change, from, to }) => (
          <li key={path} className="flex min-w-0 items-start gap-2.5 py-1.5 leading-5">
            <ChangeIcon change={change} />
            <span className="flex min-w-0 flex-1 flex-wrap justify-between gap-x-4">
              <code className="min-w-0 break-all font-mono">{path}</code>
              <span className="whitespace-nowrap text-muted-foreground tabular-nums">
                {change === "changed" ? `${size(from)} → ${size(to)}` : size(to ?? from)}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Values({ manifest }: { manifest: ReleaseDiff["manifest"] }) {
  const t = useTranslations("releases.changes");
  const shown = manifest.slice(0, SHOWN_ITEMS);
  return (
    <>
      <dl className="flex flex-col divide-y divide-border">
        {shown.map(({ path, from, to }) => (
          <div key={path} className="flex min-w-0 flex-col py-1.5 leading-5">
            <dt className="min-w-0 break-all font-mono text-muted-foreground">{path}</dt>
            <dd className="min-w-0 break-all font-mono">
              {from ?? t("none")} → {to ?? t("none")}
            </dd>
          </div>
        ))}
      </dl>
      {shown.length < manifest.length && (
        <p className="text-muted-foreground">{t("more", { count: manifest.length - shown.length })}</p>
      )}
    </>
  );
}
