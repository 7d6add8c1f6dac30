"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { ErrorState } from "@/components/common/error-state";

/** Shown if the passkeys could not be fetched, with a retry button. */
export function PasskeysFailed() {
  const t = useTranslations("passkeys");
  const router = useRouter();
  return <ErrorState title={t("getFailed")} onRetry={() => router.refresh()} />;
}
