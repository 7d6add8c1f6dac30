"use client";

import { CircleAlert, TriangleAlert } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { useState } from "react";
import { Link } from "@/components/common/link";
import { setCookie } from "@/components/common/set-cookie";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import type { License } from "@/lib/features/license/schema";
import { LICENSE_PATH } from "@/lib/kernel/navigation/pages";
import { LICENSE_NOTICE_COOKIE, LICENSE_NOTICE_SECONDS } from "./license-notice";

export type LicenseBannerProps = Pick<License, "status" | "daysLeft" | "expiresAt"> & {
  /** Whether the cookie says that the notice was put away. */
  defaultHidden: boolean;
};

/** Says above every page that the license ends soon, which can be put away for a day, or that it has ended. */
export function LicenseBanner({ status, daysLeft, expiresAt, defaultHidden }: LicenseBannerProps) {
  const t = useTranslations("license.banner");
  const format = useFormatter();
  const [hidden, setHidden] = useState(defaultHidden);
  const expired = status === "expired";
  if (!expired && (status !== "near_expiry" || hidden)) return null;

  const hide = () => {
    setCookie(LICENSE_NOTICE_COOKIE, "hidden", LICENSE_NOTICE_SECONDS);
    setHidden(true);
  };

  const Icon = expired ? CircleAlert : TriangleAlert;
  return (
    <section
      aria-label={t("label")}
      className={cn(
        "flex flex-wrap items-center gap-x-3 gap-y-1 border-b px-4 py-2 text-sm lg:px-8",
        expired ? "border-danger-border bg-danger-surface" : "border-warning-border bg-warning-surface",
      )}
    >
      <p className="flex min-w-0 flex-1 basis-64 items-start gap-2">
        <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", expired ? "text-danger" : "text-warning")} />
        <span>
          {expired
            ? t("expired", { date: format.dateTime(new Date(expiresAt as string), { dateStyle: "long" }) })
            : t("nearExpiry", { days: daysLeft ?? 0 })}
        </span>
      </p>
      <div className="flex items-center gap-2">
        <Link href={LICENSE_PATH} className="font-medium underline underline-offset-4">
          {t("open")}
        </Link>
        {!expired && (
          <Button variant="ghost" size="sm" onClick={hide}>
            {t("hide")}
          </Button>
        )}
      </div>
    </section>
  );
}
