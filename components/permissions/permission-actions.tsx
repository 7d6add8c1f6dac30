"use client";

import { Pencil, Plus, Trash2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { ActionMenu } from "@/components/common/action-menu";
import { useDialog } from "@/components/common/use-dialog";
import { Button } from "@/components/ui/button";
import { useOperation } from "@/lib/api/use-operation";
import type { RolePermission } from "@/lib/features/permissions/schema";
import { notify } from "@/lib/notify";
import { usePlainWords } from "./plain-words";

// What opens on demand comes with the first press, not with the list.
const PermissionDialog = dynamic(() => import("./permission-dialog").then((file) => file.PermissionDialog), {
  ssr: false,
});
const ConfirmDialog = dynamic(() => import("@/components/common/confirm-dialog").then((file) => file.ConfirmDialog), {
  ssr: false,
});

/** Gives a role a permission. */
export function CreatePermissionButton() {
  const t = useTranslations("permissions");
  const { opening, open, onOpenChange, show } = useDialog();
  return (
    <>
      <Button onClick={show}>
        <Plus aria-hidden />
        {t("create")}
      </Button>
      {opening > 0 && <PermissionDialog key={opening} open={open} onOpenChange={onOpenChange} />}
    </>
  );
}

/** Changes the permission of a row, or takes it. */
export function PermissionMenu({ permission }: { permission: RolePermission }) {
  const t = useTranslations("permissions");
  const common = useTranslations("common");
  const router = useRouter();
  const inWords = usePlainWords();
  const update = useDialog();
  const asking = useDialog();
  const remove = useOperation("permissions/delete-role-permission");
  const { name } = permission.role;

  const confirm = async () => {
    const result = await remove.run({ id: permission.id });
    if (result.ok) {
      notify.success(t("deleted", { name }));
      router.refresh();
    }
    return result;
  };

  return (
    <>
      <ActionMenu
        name={name}
        actions={[
          { label: common("edit"), icon: <Pencil aria-hidden />, onSelect: update.show },
          { label: common("delete"), icon: <Trash2 aria-hidden />, onSelect: asking.show, destructive: true },
        ]}
      />
      {update.opening > 0 && (
        <PermissionDialog
          key={update.opening}
          permission={permission}
          open={update.open}
          onOpenChange={update.onOpenChange}
        />
      )}
      {asking.opening > 0 && (
        <ConfirmDialog
          open={asking.open}
          onOpenChange={asking.onOpenChange}
          title={t("deleteTitle")}
          description={t("deleteDescription", { sentence: inWords(permission) })}
          confirmLabel={t("deleteConfirm")}
          onConfirm={confirm}
        />
      )}
    </>
  );
}
