"use client";

import { Pencil, Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { DialogButton, RowDialogButton } from "@/components/common/dialog-button";
import { lazyDialog } from "@/components/common/lazy-dialog";
import type { Role } from "@/lib/features/roles/schema";

// Loaded when they are opened for the first time, not with the list.
const CreateRoleDialog = lazyDialog(() => import("./role-dialog").then((file) => file.CreateRoleDialog));
const UpdateRoleDialog = lazyDialog(() => import("./role-dialog").then((file) => file.UpdateRoleDialog));

/** Opens the dialog that adds a role. */
export function CreateRoleButton() {
  const t = useTranslations("roles");
  return (
    <DialogButton requestedAs="create-role" dialog={(dialog) => <CreateRoleDialog {...dialog} />}>
      <Plus aria-hidden />
      {t("create")}
    </DialogButton>
  );
}

/** Opens the dialog that renames the role of a row. */
export function UpdateRoleButton({ role }: { role: Role }) {
  const t = useTranslations("roles");
  return (
    <RowDialogButton
      label={t("update", { name: role.name })}
      icon={<Pencil aria-hidden />}
      dialog={(dialog) => <UpdateRoleDialog role={role} {...dialog} />}
    />
  );
}

/** Opens the dialog that renames the role of a page. */
export function RenameRoleButton({ role }: { role: Role }) {
  const t = useTranslations("roles");
  return (
    <DialogButton variant="secondary" dialog={(dialog) => <UpdateRoleDialog role={role} {...dialog} />}>
      <Pencil aria-hidden />
      {t("rename")}
    </DialogButton>
  );
}
