"use client";

import { useTranslations } from "next-intl";
import { useEffect } from "react";
import { notify } from "@/lib/client/notify";
import { SHARED_FRAGMENT } from "@/lib/client/worker/protocol";

/** Says where to publish a file that another app shared. */
export function useSharedNotice(): void {
  const t = useTranslations("offline.shared");
  useEffect(() => {
    if (location.hash !== SHARED_FRAGMENT) return;
    history.replaceState(history.state, "", location.pathname + location.search);
    notify.info(t("title"), { description: t("description") });
  }, [t]);
}
