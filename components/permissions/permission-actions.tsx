"use client";

import { Pencil, Plus, Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { ActionMenu } from "@/components/common/action-menu";
import { ConfirmDialogOnDemand } from "@/components/common/confirm-dialog-on-demand";
import { DialogButton } from "@/components/common/dialog-button";
import { lazyDialog } from "@/components/common/lazy-dialog";
import { OpenedDialog } from "@/components/common/opened-dialog";
import { usePlainWords } from "@/components/common/permissions/plain-words";
import { useDeletion } from "@/components/common/use-deletion";
import { useDialog } from "@/components/common/use-dialog";
import { useUndo } from "@/components/common/use-undo";
import { command } from "@/lib/client/client";
import type { RolePermission } from "@/lib/features/permissions/schema";
import { grantedBy } from "./permission-values";

// Loaded when it is opened for the first time, not with the list.
const PermissionDialog = lazyDialog(() => import("./permission-dialog").then((file) => file.PermissionDialog));

/** Opens the dialog that adds a permission. */
export function CreatePermissionButton() {
  const t = useTranslations("permissions");
  return (
    <DialogButton requestedAs="create-permission" dialog={(dialog) => <PermissionDialog {...dialog} />}>
      <Plus aria-hidden />
      {t("create")}
    </DialogButton>
  );
}

/** Opens the dialog that adds a permission for the releases of tester groups to a role. */
export function AddGroupsButton({ role }: { role: { id: string; name: string } }) {
  const t = useTranslations("people.access");
  return (
    <DialogButton
      variant="secondary"
      // On phones, the text of some languages needs two lines.
      className="max-lg:h-auto max-lg:min-h-10 max-lg:whitespace-normal max-lg:py-2"
      dialog={(dialog) => <PermissionDialog groupsOfRole={role} {...dialog} />}
    >
      <Plus aria-hidden />
      {t("addGroups")}
    </DialogButton>
  );
}

/** The menu of a permission in a list: edit and delete. */
export function PermissionMenu({ permission }: { permission: RolePermission }) {
  const t = useTranslations("permissions");
  const common = useTranslations("common");
  const notifyUndoable = useUndo();
  const inWords = usePlainWords();
  const update = useDialog();
  const asking = useDialog();
  const { name } = permission.role;

  const { run } = useDeletion("permissions/delete-role-permission", { id: permission.id }, () => {
    const previous = grantedBy(permission);
    notifyUndoable(
      t("deleted", { name }),
      previous ? () => command("permissions/create-role-permission", previous) : undefined,
    );
  });

  return (
    <>
      <ActionMenu
        name={name}
        actions={[
          { label: common("edit"), icon: <Pencil aria-hidden />, onSelect: update.show },
          { label: common("delete"), icon: <Trash2 aria-hidden />, onSelect: asking.show, destructive: true },
        ]}
      />
      <OpenedDialog state={update}>{(dialog) => <PermissionDialog permission={permission} {...dialog} />}</OpenedDialog>
      <OpenedDialog state={asking}>
        {(dialog) => (
          <ConfirmDialogOnDemand
            {...dialog}
            title={t("deleteTitle")}
            description={t("deleteDescription", { sentence: inWords(permission) })}
            confirmLabel={t("deleteConfirm")}
            onConfirm={run}
          />
        )}
      </OpenedDialog>
    </>
  );
}
