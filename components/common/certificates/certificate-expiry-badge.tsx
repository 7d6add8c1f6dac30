import { daysUntilExpiry, type ExpiryStep, expiryStep } from "@slipway/certificates";
import { TriangleAlert } from "lucide-react";
import { useNow, useTranslations } from "next-intl";
import { Badge } from "@/components/ui/badge";

/** From this step on, the badge changes from a warning to an error. */
const URGENT_STEP: ExpiryStep = 7;

/** Says that a certificate has expired or in how many days it expires; renders nothing before that. */
export function CertificateExpiryBadge({ expirationDate }: { expirationDate: string }) {
  const t = useTranslations("certificates.expiry");
  const now = useNow();
  const date = new Date(expirationDate);
  const step = expiryStep(date, now);
  if (step === null) return null;
  return (
    <Badge tone={step === "expired" || step <= URGENT_STEP ? "danger" : "warning"}>
      <TriangleAlert aria-hidden />
      {step === "expired" ? t("expired") : t("inDays", { days: daysUntilExpiry(date, now) })}
    </Badge>
  );
}
