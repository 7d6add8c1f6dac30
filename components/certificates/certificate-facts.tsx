import { useTranslations } from "next-intl";
import { CertificateExpiryBadge } from "@/components/common/certificates/certificate-expiry-badge";
import { CopyButton } from "@/components/common/copy-button";
import { DateTime } from "@/components/common/date-time";
import { type Fact, Facts } from "@/components/common/facts";
import type { CertificateFacts as FactsOfFile } from "./use-certificate-file";

/** What a certificate file tells. */
export function CertificateFacts({ facts }: { facts: FactsOfFile }) {
  const t = useTranslations("certificates.facts");
  const { subject, issuer, expirationDate, sha256, opened, hasPrivateKey, chainLength } = facts;
  const items: Fact[] = [
    ...(subject ? [{ label: t("subject"), value: <span className="break-all">{subject}</span> }] : []),
    ...(issuer ? [{ label: t("issuer"), value: <span className="break-all">{issuer}</span> }] : []),
    ...(expirationDate
      ? [
          {
            label: t("expires"),
            value: (
              <span className="flex flex-wrap items-center gap-2">
                <DateTime date={expirationDate} withTime />
                <CertificateExpiryBadge expirationDate={expirationDate.toISOString()} />
              </span>
            ),
          },
        ]
      : []),
    ...(opened
      ? [
          { label: t("privateKey"), value: t(hasPrivateKey ? "withPrivateKey" : "withoutPrivateKey") },
          { label: t("chain"), value: t("chainLength", { count: chainLength }) },
        ]
      : []),
    {
      label: "SHA-256",
      value: (
        <span className="flex items-start gap-1">
          <code className="min-w-0 break-all font-mono text-[0.8125rem]">{sha256}</code>
          <CopyButton value={sha256} label="SHA-256" iconOnly className="-my-1 shrink-0" />
        </span>
      ),
    },
  ];
  return (
    <section aria-label={t("title")} aria-live="polite" className="rounded-lg border border-border px-3 py-2.5">
      <Facts items={items} long />
    </section>
  );
}
