"use client";

import { Pencil, Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { DialogButton, RowDialogButton } from "@/components/common/dialog-button";
import type { Platform } from "@/lib/features/platforms/schema";

// Loaded when they are opened for the first time, not with the list.
const CreatePlatformDialog = dynamic(() => import("./platform-dialog").then((file) => file.CreatePlatformDialog), {
  ssr: false,
});
const UpdatePlatformDialog = dynamic(() => import("./platform-dialog").then((file) => file.UpdatePlatformDialog), {
  ssr: false,
});

/** Opens the dialog that adds a platform. */
export function CreatePlatformButton() {
  const t = useTranslations("platforms");
  return (
    <DialogButton dialog={(dialog) => <CreatePlatformDialog {...dialog} />}>
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
