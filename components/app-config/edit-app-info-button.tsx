"use client";

import { Pencil } from "lucide-react";
import { useTranslations } from "next-intl";
import { DialogButton } from "@/components/common/dialog-button";
import { lazyDialog } from "@/components/common/lazy-dialog";
import type { AppConfig } from "@/lib/features/config/schema";

const AppInfoDialog = lazyDialog(() => import("./app-info-dialog").then((file) => file.AppInfoDialog));

/** Opens the dialog that changes the console's name, description and logo. */
export function EditAppInfoButton({ config }: { config: AppConfig }) {
  const t = useTranslations("appConfig.info");
  return (
    <DialogButton dialog={(dialog) => <AppInfoDialog config={config} {...dialog} />}>
      <Pencil aria-hidden />
      {t("edit")}
    </DialogButton>
  );
}
