import { useTranslations } from "next-intl";
import { CertificateExpiryBadge } from "@/components/common/certificate-expiry-badge";
import { HoverLink } from "@/components/common/hover-link";
import { entriesPath } from "@/components/common/navigation/paths";
import { Alert } from "@/components/ui/alert";
import type { OperationOutput } from "@/lib/client/operation-types";

/** Number of certificates shown. */
const SHOWN_CERTIFICATES = 5;

/** Lists the certificates that have expired or expire soon, the most urgent first. */
export function ExpiringCertificates({ items, total }: OperationOutput<"apps/get-expiring-certificates">) {
  const t = useTranslations("certificates.expiring");
  if (total === 0) return null;
  const shown = items.slice(0, SHOWN_CERTIFICATES);
  return (
    <Alert tone="warning" role="note" title={t("title", { count: total })}>
      <p>{t("description")}</p>
      <ul className="mt-2 flex flex-col gap-1.5">
        {shown.map(({ id, name, app, environment, expirationDate }) => (
          <li key={id} className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
            <HoverLink
              href={entriesPath("secure-certificate", { appId: app.id, environmentId: environment.id }, true)}
              className="inline-flex min-h-6 min-w-0 items-center max-lg:min-h-11"
            >
              <span className="min-w-0 break-words">
                {name} · {app.name} › {environment.name}
              </span>
            </HoverLink>
            <CertificateExpiryBadge expirationDate={expirationDate} />
          </li>
        ))}
        {total > shown.length && <li>{t("more", { count: total - shown.length })}</li>}
      </ul>
    </Alert>
  );
}
