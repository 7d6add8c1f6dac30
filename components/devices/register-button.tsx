"use client";

import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { DialogButton } from "@/components/common/dialog-button";
import { lazyDialog } from "@/components/common/lazy-dialog";
import type { ButtonProps } from "@/components/ui/button";

// Loaded when it is opened for the first time, not with the page.
const RegisterDialog = lazyDialog(() => import("./register-dialog").then((file) => file.RegisterDialog));

/** Opens the dialog that registers a device as the user's own. */
export function RegisterDeviceButton(button: Pick<ButtonProps, "variant" | "size">) {
  const t = useTranslations("devices");
  return (
    <DialogButton {...button} dialog={(dialog) => <RegisterDialog {...dialog} />}>
      <Plus aria-hidden />
      {t("register")}
    </DialogButton>
  );
}
