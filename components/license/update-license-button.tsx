"use client";

import { Pencil } from "lucide-react";
import { useTranslations } from "next-intl";
import { DialogButton } from "@/components/common/dialog-button";
import { lazyDialog } from "@/components/common/lazy-dialog";

const UpdateLicenseDialog = lazyDialog(() =>
  import("./update-license-dialog").then((file) => file.UpdateLicenseDialog),
);

/** Opens the dialog that replaces the license. */
export function UpdateLicenseButton() {
  const t = useTranslations("license");
  return (
    <DialogButton dialog={(dialog) => <UpdateLicenseDialog {...dialog} />}>
      <Pencil aria-hidden />
      {t("update")}
    </DialogButton>
  );
}
