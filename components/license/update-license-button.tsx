"use client";

import { Pencil, Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { DialogButton } from "@/components/common/dialog-button";
import { lazyDialog } from "@/components/common/lazy-dialog";

const UpdateLicenseDialog = lazyDialog(() =>
  import("./update-license-dialog").then((file) => file.UpdateLicenseDialog),
);

/** Opens the dialog that enters the first license, or replaces the license. */
export function UpdateLicenseButton({ isFirst = false }: { isFirst?: boolean }) {
  const t = useTranslations("license");
  return (
    <DialogButton dialog={(dialog) => <UpdateLicenseDialog {...dialog} isFirst={isFirst} />}>
      {isFirst ? <Plus aria-hidden /> : <Pencil aria-hidden />}
      {t(isFirst ? "add" : "update")}
    </DialogButton>
  );
}
