"use client";

import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { DialogButton } from "@/components/common/dialog-button";
import { lazyDialog } from "@/components/common/lazy-dialog";
import type { DialogProps } from "@/components/common/use-dialog";
import type { CreateGroupDialogProps } from "./create-group-dialog";

const CreateGroupDialog = lazyDialog(() => import("./create-group-dialog").then((file) => file.CreateGroupDialog));

/** Opens the form of a new group of testers. */
export function CreateGroupButton(props: Omit<CreateGroupDialogProps, keyof DialogProps>) {
  const t = useTranslations("testers");
  return (
    <DialogButton dialog={(dialog) => <CreateGroupDialog {...props} {...dialog} />}>
      <Plus aria-hidden />
      {t("create")}
    </DialogButton>
  );
}
