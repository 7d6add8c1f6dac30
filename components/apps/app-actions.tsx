"use client";

import { Pencil, Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useDialog } from "@/components/common/use-dialog";
import { Button } from "@/components/ui/button";
import type { App } from "@/lib/features/apps/schema";

// The form comes with the first press, not with the list.
const AppDialog = dynamic(() => import("./app-dialog").then((file) => file.AppDialog), { ssr: false });

/** Adds an application. */
export function CreateAppButton() {
  const t = useTranslations("apps");
  const { opening, open, onOpenChange, show } = useDialog();
  return (
    <>
      <Button onClick={show}>
        <Plus aria-hidden />
        {t("create")}
      </Button>
      {opening > 0 && <AppDialog key={opening} open={open} onOpenChange={onOpenChange} />}
    </>
  );
}

export type UpdateAppButtonProps = {
  app: App;
  /** Writes a label beside the icon. */
  labelled?: boolean;
};

/** Changes an application. */
export function UpdateAppButton({ app, labelled = false }: UpdateAppButtonProps) {
  const t = useTranslations("apps");
  const common = useTranslations("common");
  const { opening, open, onOpenChange, show } = useDialog();
  return (
    <>
      <Button
        variant={labelled ? "secondary" : "ghost"}
        size={labelled ? "default" : "icon-sm"}
        aria-label={t("update", { name: app.name })}
        onClick={show}
        className={labelled ? "max-lg:size-10 max-lg:px-0" : "text-muted-foreground"}
      >
        <Pencil aria-hidden />
        {labelled && <span className="max-lg:sr-only">{common("edit")}</span>}
      </Button>
      {opening > 0 && <AppDialog key={opening} app={app} open={open} onOpenChange={onOpenChange} />}
    </>
  );
}
