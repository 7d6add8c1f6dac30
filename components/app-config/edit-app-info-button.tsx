"use client";

import { Pencil } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useDialog } from "@/components/common/use-dialog";
import { Button } from "@/components/ui/button";
import type { AppConfig } from "@/lib/features/config/schema";

const AppInfoDialog = dynamic(() => import("./app-info-dialog").then((file) => file.AppInfoDialog), { ssr: false });

/** Changes the console's own name, words and logo. */
export function EditAppInfoButton({ config }: { config: AppConfig }) {
  const t = useTranslations("appConfig.info");
  const { opening, open, onOpenChange, show } = useDialog();
  return (
    <>
      <Button onClick={show}>
        <Pencil aria-hidden />
        {t("edit")}
      </Button>
      {opening > 0 && <AppInfoDialog key={opening} config={config} open={open} onOpenChange={onOpenChange} />}
    </>
  );
}
