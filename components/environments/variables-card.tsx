import { Braces, ChevronRight, FileKey2, KeyRound } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { CertificateExpiryBadge } from "@/components/common/certificate-expiry-badge";
import { HoverLink } from "@/components/common/hover-link";
import { entriesPath } from "@/components/common/navigation/paths";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import type { Environment } from "@/lib/features/environments/schema";

/**
 * How many variables and certificates an environment has; null where counting them needs a second factor that the user
 * does not have.
 */
export type VariableCounts = {
  development: number;
  secure: number | null;
  /** `nextExpiration` is that of the active certificate that expires first. */
  certificates: { total: number; nextExpiration: string | null } | null;
};

export type VariablesCardProps = { environment: Pick<Environment, "id" | "appId">; counts: VariableCounts };

const KINDS = [
  { kind: "dev-variable", count: "development", icon: <Braces /> },
  { kind: "secure-variable", count: "secure", icon: <KeyRound /> },
] as const;

/** The variables of an environment by kind and its certificates, each with their number and a link to them. */
export function VariablesCard({ environment: { id, appId }, counts }: VariablesCardProps) {
  const t = useTranslations("environments.variables");
  const variables = useTranslations("variables.title");
  const certificates = useTranslations("certificates");
  const place = { appId, environmentId: id };
  const next = counts.certificates?.nextExpiration ?? null;
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("title")}</CardTitle>
        <CardDescription>{t("description")}</CardDescription>
      </CardHeader>
      <CardContent className="gap-1 pt-2 pb-3">
        {KINDS.map(({ kind, count, icon }) => {
          const total = counts[count];
          return (
            <ConfigurationLine
              key={kind}
              href={entriesPath(kind, place, true)}
              icon={icon}
              title={variables(kind)}
              count={total === null ? t("needsSecondFactor") : t("count", { count: total })}
            />
          );
        })}
        <ConfigurationLine
          href={entriesPath("secure-certificate", place, true)}
          icon={<FileKey2 />}
          title={certificates("title")}
          count={
            counts.certificates === null
              ? t("needsSecondFactor")
              : certificates("count", { count: counts.certificates.total })
          }
          badge={next !== null && <CertificateExpiryBadge expirationDate={next} />}
        />
      </CardContent>
    </Card>
  );
}

export type ConfigurationLineProps = {
  href: string;
  icon: ReactNode;
  title: string;
  /** The accessible name, where the title is not unique on the page. */
  label?: string;
  count?: string;
  badge?: ReactNode;
};

/** A link to a part of an environment's configuration. */
export function ConfigurationLine({ href, icon, title, label, count, badge }: ConfigurationLineProps) {
  return (
    <HoverLink
      href={href}
      aria-label={label}
      className="-mx-2 flex min-h-11 min-w-0 items-center gap-3 rounded-md px-2 py-2 hover:bg-muted"
    >
      <span
        aria-hidden
        className="flex size-8 shrink-0 items-center justify-center rounded-lg border border-border text-muted-foreground [&>svg]:size-4"
      >
        {icon}
      </span>
      <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
        <span className="flex min-w-0 grow basis-40 flex-col gap-0.5">
          <span className="break-words font-medium">{title}</span>
          {count && <span className="text-muted-foreground">{count}</span>}
        </span>
        {badge}
      </span>
      <ChevronRight aria-hidden className="size-4 shrink-0 text-muted-foreground" />
    </HoverLink>
  );
}
