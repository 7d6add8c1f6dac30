"use client";

import { Pencil, Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useDialog } from "@/components/common/use-dialog";
import { Button } from "@/components/ui/button";
import type { Role } from "@/lib/features/roles/schema";

// Forms come with the first press, not with the list.
const CreateRoleDialog = dynamic(() => import("./role-dialog").then((file) => file.CreateRoleDialog), { ssr: false });
const UpdateRoleDialog = dynamic(() => import("./role-dialog").then((file) => file.UpdateRoleDialog), { ssr: false });

/** Adds a role. */
export function CreateRoleButton() {
  const t = useTranslations("roles");
  const { opening, open, onOpenChange, show } = useDialog();
  return (
    <>
      <Button onClick={show}>
        <Plus aria-hidden />
        {t("create")}
      </Button>
      {opening > 0 && <CreateRoleDialog key={opening} open={open} onOpenChange={onOpenChange} />}
    </>
  );
}

/** Renames the role of a row. */
export function UpdateRoleButton({ role }: { role: Role }) {
  const t = useTranslations("roles");
  const { opening, open, onOpenChange, show } = useDialog();
  return (
    <>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={t("update", { name: role.name })}
        onClick={show}
        className="text-muted-foreground"
      >
        <Pencil aria-hidden />
      </Button>
      {opening > 0 && <UpdateRoleDialog key={opening} role={role} open={open} onOpenChange={onOpenChange} />}
    </>
  );
}
