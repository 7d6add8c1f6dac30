import { BadgeCheck } from "lucide-react";
import { useTranslations } from "next-intl";
import { DateTime } from "@/components/common/date-time";
import { EmptyState } from "@/components/common/empty-state";
import { Facts } from "@/components/common/facts";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { Card, CardContent } from "@/components/ui/card";
import type { License } from "@/lib/features/license/schema";
import { UpdateLicenseButton } from "./update-license-button";

const TONES = { valid: "success", near_expiry: "warning", expired: "danger" } as const;

/** The license with the days that are left, or how to add one. */
export function LicenseView({ license }: { license: License }) {
  const t = useTranslations("license");
  const { status, createdAt, expiresAt } = license;
  const { vendorKeyConfigured } = license;
  if (status === "none" || createdAt === null || expiresAt === null) {
    return (
      <EmptyState
        icon={<BadgeCheck aria-hidden />}
        title={t("empty.title")}
        description={t(vendorKeyConfigured ? "empty.description" : "noKey")}
        action={vendorKeyConfigured && <UpdateLicenseButton isFirst />}
      />
    );
  }
  return (
    <>
      {!vendorKeyConfigured && <Alert tone="info">{t("noKey")}</Alert>}
      <Card className="max-w-2xl">
        <CardContent>
          <Facts
            items={[
              { label: t("status.label"), value: <Badge tone={TONES[status]}>{t(`status.${status}`)}</Badge> },
              { label: t("licenseName"), value: license.licenseName },
              { label: t("businessId"), value: <span className="font-mono">{license.businessId}</span> },
              { label: t("createdAt"), value: <DateTime date={createdAt} /> },
              { label: t("expiresAt"), value: <DateTime date={expiresAt} withTime /> },
              { label: t("daysLeft"), value: t("days", { days: license.daysLeft ?? 0 }) },
            ]}
          />
        </CardContent>
      </Card>
    </>
  );
}
