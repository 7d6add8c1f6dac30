"use client";

import { Pencil, Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { DialogButton, RowDialogButton } from "@/components/common/dialog-button";
import { lazyDialog } from "@/components/common/lazy-dialog";
import type { Platform } from "@/lib/features/platforms/schema";

// Loaded when they are opened for the first time, not with the list.
const CreatePlatformDialog = lazyDialog(() => import("./platform-dialog").then((file) => file.CreatePlatformDialog));
const UpdatePlatformDialog = lazyDialog(() => import("./platform-dialog").then((file) => file.UpdatePlatformDialog));

/** Opens the dialog that adds a platform. */
export function CreatePlatformButton() {
  const t = useTranslations("platforms");
  return (
    <DialogButton requestedAs="create-platform" dialog={(dialog) => <CreatePlatformDialog {...dialog} />}>
      <Plus aria-hidden />
      {t("create")}
    </DialogButton>
  );
}

/** Opens the dialog that changes the platform of a row. */
export function UpdatePlatformButton({ platform }: { platform: Platform }) {
  const t = useTranslations("platforms");
  return (
    <RowDialogButton
      label={t("update", { name: platform.name })}
      icon={<Pencil aria-hidden />}
      dialog={(dialog) => <UpdatePlatformDialog platform={platform} {...dialog} />}
    />
  );
}
