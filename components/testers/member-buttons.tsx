"use client";

import { FileUp, Pencil, UserPlus } from "lucide-react";
import { useTranslations } from "next-intl";
import { DialogButton } from "@/components/common/dialog-button";
import { lazyDialog } from "@/components/common/lazy-dialog";
import type { DialogProps } from "@/components/common/use-dialog";
import type { EditGroupDialogProps } from "./edit-group-dialog";

const AddMembersDialog = lazyDialog(() => import("./add-members-dialog").then((file) => file.AddMembersDialog));
const ImportMembersDialog = lazyDialog(() =>
  import("./import-members-dialog").then((file) => file.ImportMembersDialog),
);

const EditGroupDialog = lazyDialog(() => import("./edit-group-dialog").then((file) => file.EditGroupDialog));

type Group = { id: string; name: string };

/** Opens the form that changes a group of testers. */
export function EditGroupButton(props: Omit<EditGroupDialogProps, keyof DialogProps>) {
  const t = useTranslations("testers");
  return (
    <DialogButton variant="secondary" dialog={(dialog) => <EditGroupDialog {...props} {...dialog} />}>
      <Pencil aria-hidden />
      {t("edit")}
    </DialogButton>
  );
}

/** Opens the form that adds members to a group of testers. */
export function AddMembersButton({ group, isAdmin }: { group: Group; isAdmin: boolean }) {
  const t = useTranslations("testers");
  return (
    <DialogButton dialog={(dialog) => <AddMembersDialog group={group} isAdmin={isAdmin} {...dialog} />}>
      <UserPlus aria-hidden />
      {t("addMembers")}
    </DialogButton>
  );
}

/** Opens the import of members of a group of testers. */
export function ImportMembersButton({ group }: { group: Group }) {
  const t = useTranslations("testers");
  return (
    <DialogButton variant="secondary" dialog={(dialog) => <ImportMembersDialog group={group} {...dialog} />}>
      <FileUp aria-hidden />
      {t("import.action")}
    </DialogButton>
  );
}
