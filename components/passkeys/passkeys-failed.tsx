"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { ErrorState } from "@/components/common/error-state";

/** Stands where the passkeys could not be fetched, with the way to try again. */
export function PasskeysFailed() {
  const t = useTranslations("passkeys");
  const router = useRouter();
  return <ErrorState title={t("getFailed")} onRetry={() => router.refresh()} />;
}
