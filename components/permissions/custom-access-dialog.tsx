"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useGuardedClose } from "@/components/common/guarded-close";
import { ScopePicker } from "@/components/common/permissions/scope-picker";
import type { DialogProps } from "@/components/common/use-dialog";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogBody,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from "@/components/ui/dialog";
import type { Scope } from "@/lib/permissions/scopes";

export type CustomAccessDialogProps = DialogProps & {
  /** The place. */
  name: string;
  scopes: readonly Scope[];
  onApply: (scopes: Scope[]) => void;
};

/** Selects single scopes for a place. They are part of the draft and not saved yet. */
export function CustomAccessDialog({ name, scopes, onApply, open, onOpenChange }: CustomAccessDialogProps) {
  const t = useTranslations("people.access");
  const common = useTranslations("common");
  const [chosen, setChosen] = useState<Scope[]>([...scopes]);
  const unsaved = [...chosen].sort().join() !== [...scopes].sort().join();
  const close = useGuardedClose({ open, onOpenChange, unsaved, busy: false });
  const apply = () => {
    onApply(chosen);
    onOpenChange(false);
  };
  return (
    <Dialog open={open} onOpenChange={close.onOpenChange}>
      <DialogContent size="lg">
        <DialogHeader>
          <DialogTitle>{t("customTitle", { name })}</DialogTitle>
          <DialogDescription>{t("customDescription")}</DialogDescription>
        </DialogHeader>
        <DialogBody className="pb-5">
          <ScopePicker value={chosen} onChange={setChosen} />
        </DialogBody>
        <DialogFooter>
          <Button variant="secondary" onClick={close.requestClose}>
            {common("cancel")}
          </Button>
          <Button onClick={apply}>{t("apply")}</Button>
        </DialogFooter>
        {close.confirmation}
      </DialogContent>
    </Dialog>
  );
}
