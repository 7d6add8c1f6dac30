"use client";

import { Pencil, Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { DialogButton, type DialogButtonProps, RowDialogButton } from "@/components/common/dialog-button";
import { lazyDialog } from "@/components/common/lazy-dialog";
import type { DialogProps } from "@/components/common/use-dialog";
import type { App } from "@/lib/features/apps/schema";
import type { AppDialogProps } from "./app-dialog";

// Loaded when it is opened for the first time, not with the list.
const AppDialog = lazyDialog(() => import("./app-dialog").then((file) => file.AppDialog));

export type CreateAppButtonProps = Pick<DialogButtonProps, "variant"> & Pick<AppDialogProps, "stay">;

/** Opens the dialog that adds an application. */
export function CreateAppButton({ variant, stay }: CreateAppButtonProps) {
  const t = useTranslations("apps");
  return (
    <DialogButton variant={variant} requestedAs="create-app" dialog={(dialog) => <AppDialog stay={stay} {...dialog} />}>
      <Plus aria-hidden />
      {t("create")}
    </DialogButton>
  );
}

export type UpdateAppButtonProps = {
  app: App;
  /** Shows a text label beside the icon. */
  labelled?: boolean;
};

/** Opens the dialog that changes an application. */
export function UpdateAppButton({ app, labelled = false }: UpdateAppButtonProps) {
  const t = useTranslations("apps");
  const common = useTranslations("common");
  const label = t("update", { name: app.name });
  const dialog = (props: DialogProps) => <AppDialog app={app} {...props} />;
  if (!labelled) return <RowDialogButton label={label} icon={<Pencil aria-hidden />} dialog={dialog} />;
  return (
    <DialogButton variant="secondary" aria-label={label} className="max-lg:size-10 max-lg:px-0" dialog={dialog}>
      <Pencil aria-hidden />
      <span className="max-lg:sr-only">{common("edit")}</span>
    </DialogButton>
  );
}
