import {
  Clock,
  HardDrive,
  History,
  KeyRound,
  type LucideIcon,
  Mail,
  MailQuestion,
  ScrollText,
  ServerCrash,
  ShieldAlert,
  TriangleAlert,
  Unplug,
} from "lucide-react";
import { useLocale, useNow, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { LinkButton } from "@/components/common/link-button";
import { entriesPath } from "@/components/common/navigation/paths";
import { useRelativeFormat } from "@/components/common/relative-format";
import { releaseName } from "@/components/common/releases/release-name";
import { Card } from "@/components/ui/card";
import { cn } from "@/components/ui/cn";
import { PAST_DAYS } from "@/lib/features/dashboard/rules";
import type { Attention } from "@/lib/features/dashboard/schema";
import { formatBytes } from "@/lib/kernel/format-bytes";
import { LICENSE_PATH, PAGES, releasePath, TOKENS_PATH } from "@/lib/kernel/navigation/pages";
import { arrangeAttention, hasEnded, type LicenseEnd } from "./attention-order";

/** The query of the dashboard that shows all items. */
export const ATTENTION_QUERY = "attention";
export const ATTENTION_ALL = "all";
/** The element that the page scrolls to. */
const LIST_ID = "attention";

const ICONS: Record<(Attention | LicenseEnd)["kind"], LucideIcon> = {
  store: ServerCrash,
  audit: ShieldAlert,
  storage: HardDrive,
  jobs: TriangleAlert,
  profile: Clock,
  signingCertificate: Clock,
  tls: Clock,
  certificate: Clock,
  token: KeyRound,
  license: ScrollText,
  address: Unplug,
  mail: Mail,
  invitations: MailQuestion,
};

/** Kinds that keep people from working now, or that a person has to look into at once. */
const URGENT: readonly (Attention | LicenseEnd)["kind"][] = ["store", "audit", "storage", "jobs"];

const code = (text: ReactNode) => <code className="font-mono text-[0.8125rem]">{text}</code>;

export type AttentionListProps = {
  /** The most urgent first. */
  items: readonly Attention[];
  license: LicenseEnd | null;
  /** Whether all are shown, also what is past. */
  all: boolean;
};

/**
 * The tasks of an administrator, the most urgent first; empty if there are none. Items that expired long ago are one
 * line, and the rest of a long list is behind a link.
 */
export function AttentionList({ items, license, all }: AttentionListProps) {
  const t = useTranslations("dashboard.attention");
  const now = useNow();
  const { shown, past, total, isLong } = arrangeAttention(items, license, { now, all });
  if (total === 0) return null;
  return (
    <Card id={LIST_ID} className="scroll-mt-16 overflow-hidden">
      <h2 className="px-4 pt-4 pb-3 font-semibold leading-5 tracking-tight lg:px-5">{t("title", { count: total })}</h2>
      <ul className="divide-y divide-border border-border border-t">
        {shown.map((item) => (
          <Item key={JSON.stringify(item)} item={item} now={now} />
        ))}
        {past > 0 && (
          <li className="flex items-start gap-3 px-4 py-3 text-muted-foreground lg:items-center lg:px-5">
            <History aria-hidden className="mt-0.5 size-4 shrink-0 lg:mt-0" />
            <p className="min-w-0 text-pretty leading-5">{t("past", { count: past, days: PAST_DAYS })}</p>
          </li>
        )}
      </ul>
      <div className="flex flex-wrap gap-x-1 border-border border-t px-2 py-1.5 lg:px-3">
        {(all ? isLong : shown.length < total) && (
          <LinkButton href={listPath(!all)} variant="ghost" size="sm" scroll={false}>
            {all ? t("fewer") : t("more", { count: total })}
          </LinkButton>
        )}
        <LinkButton href={PAGES.expiry} variant="ghost" size="sm">
          {t("expiry")}
        </LinkButton>
      </div>
    </Card>
  );
}

const listPath = (all: boolean) =>
  `${PAGES.adminDashboard}${all ? `?${ATTENTION_QUERY}=${ATTENTION_ALL}` : ""}#${LIST_ID}`;

function Item({ item, now }: { item: Attention | LicenseEnd; now: Date }) {
  const Icon = ICONS[item.kind];
  const { title, description, action } = useItem(item, now);
  const red = URGENT.includes(item.kind) || hasEnded(item, now);
  return (
    <li className="flex items-start gap-3 px-4 py-3 lg:items-center lg:px-5">
      <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0 lg:mt-0", red ? "text-danger" : "text-warning")} />
      <div className="flex min-w-0 flex-1 flex-col gap-2 lg:flex-row lg:items-center lg:justify-between lg:gap-4">
        <p className="min-w-0 text-pretty break-words leading-5">
          <span className="font-medium">{title}</span> <span className="text-muted-foreground">{description}</span>
        </p>
        {action && (
          <LinkButton href={action.href} variant="secondary" size="sm" className="shrink-0 self-start lg:self-auto">
            {action.label}
          </LinkButton>
        )}
      </div>
    </li>
  );
}

interface ItemTexts {
  title: string;
  description: ReactNode;
  action: { href: string; label: string } | null;
}

/** The texts of an item, and the page that helps. */
function useItem(item: Attention | LicenseEnd, now: Date): ItemTexts {
  const t = useTranslations("dashboard.attention");
  const locale = useLocale();
  const relative = useRelativeFormat();
  const open = (href: string) => ({ href, label: t("open") });
  const subject = (name: string) => t("subject", { name });
  const health = { href: PAGES.adminHealth, label: t("health") };
  const expiry = (expiresAt: string) => {
    const date = new Date(expiresAt);
    return { when: relative(date, now), expired: String(date <= now) };
  };
  switch (item.kind) {
    case "store":
      return { title: t("store.title"), description: t("store.description"), action: health };
    case "audit":
      return {
        title: t("audit.title"),
        description: t("audit.description", { id: item.firstRecord }),
        action: open(PAGES.adminLogs),
      };
    case "storage":
      return {
        title: t("storage.title", { free: formatBytes(item.freeBytes, locale) }),
        description: t("storage.description"),
        action: open(PAGES.adminApps),
      };
    case "jobs":
      return {
        title: t("jobs.title", { queue: item.queue.replaceAll("-", "_") }),
        description: t("jobs.description", { count: item.count }),
        action: health,
      };
    case "tls":
      return { title: subject(item.host), description: t("tls", expiry(item.expiresAt)), action: health };
    case "profile":
    case "signingCertificate":
      return {
        title: subject(t("place", { app: item.app.name, environment: item.environment.name })),
        description: t(item.kind, {
          platform: item.platform,
          release: releaseName(item.release),
          ...expiry(item.expiresAt),
        }),
        action: open(releasePath(item.release.id)),
      };
    case "certificate":
      return {
        title: subject(t("place", { app: item.app.name, environment: item.environment.name })),
        description: t("certificate", { name: item.name, ...expiry(item.expiresAt) }),
        action: open(
          entriesPath("secure-certificate", { appId: item.app.id, environmentId: item.environment.id }, true),
        ),
      };
    case "token":
      return {
        title: subject(t("place", { app: item.app.name, environment: item.environment.name })),
        description: t("token", { name: item.name, ...expiry(item.expiresAt) }),
        action: open(TOKENS_PATH),
      };
    case "license":
      return {
        title: subject(item.name),
        description: t("license", expiry(item.expiresAt)),
        action: open(LICENSE_PATH),
      };
    case "address":
      return {
        title: t("address.title", { host: item.host }),
        description: t.rich("address.description", { code }),
        action: { href: PAGES.httpsGuide, label: t("howTo") },
      };
    case "mail":
      return { title: t("mail.title"), description: t.rich("mail.description", { code }), action: health };
    case "invitations":
      return {
        title: t("invitations.title", { count: item.count }),
        description: t("invitations.description"),
        action: open(PAGES.adminUsers),
      };
  }
}
