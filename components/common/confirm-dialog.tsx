"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { Alert } from "@/components/ui/alert";
import {
  AlertDialog,
  AlertDialogCancel,
  AlertDialogContent,
  AlertDialogDescription,
  AlertDialogFooter,
  AlertDialogTitle,
} from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Label } from "@/components/ui/label";
import { showInPlace } from "@/lib/client/shown-problems";
import { type SubmitProblem, unshownProblem } from "./form/submit";
import type { DialogProps } from "./use-dialog";

export type ConfirmDialogProps = DialogProps & {
  /** The question, with the name of the object: "Delete the variable API_URL?" */
  title: ReactNode;
  /** What happens on confirmation, and whether it can be undone. */
  description: ReactNode;
  confirmLabel: ReactNode;
  cancelLabel?: ReactNode;
  /** Performs the action. The dialog closes afterwards; if the result is `{ ok: false }`, it stays and shows the problem. */
  onConfirm: () => Promise<{ ok: boolean; problem?: SubmitProblem } | undefined> | Promise<void> | void;
  /** A name that has to be typed first, for actions that cannot be undone. */
  typeToConfirm?: string;
  tone?: "destructive" | "primary";
  /** Classes of the dialog, such as a width. */
  className?: string;
};

/** Asks for confirmation before an action. */
export function ConfirmDialog({ open, onOpenChange, title, description, className, ...props }: ConfirmDialogProps) {
  // The focus starts on the field to type into or, without one, on the cancel button.
  const focusInput = (event: Event) => {
    const input = event.target instanceof HTMLElement ? event.target.querySelector("input") : null;
    if (!input) return;
    event.preventDefault();
    input.focus();
  };
  return (
    <AlertDialog open={open} onOpenChange={onOpenChange}>
      <AlertDialogContent onOpenAutoFocus={focusInput} className={className}>
        <div className="flex flex-col gap-1.5">
          <AlertDialogTitle>{title}</AlertDialogTitle>
          <AlertDialogDescription asChild>
            <div>{description}</div>
          </AlertDialogDescription>
        </div>
        <ConfirmForm onClose={() => onOpenChange(false)} {...props} />
      </AlertDialogContent>
    </AlertDialog>
  );
}

type ConfirmFormProps = Omit<ConfirmDialogProps, "open" | "onOpenChange" | "title" | "description" | "className"> & {
  onClose: () => void;
};

function ConfirmForm({
  confirmLabel,
  cancelLabel,
  onConfirm,
  onClose,
  typeToConfirm,
  tone = "destructive",
}: ConfirmFormProps) {
  const t = useTranslations("common");
  const id = useId();
  const [typed, setTyped] = useState("");
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<SubmitProblem | null>(null);
  const ready = typeToConfirm === undefined || typed.trim() === typeToConfirm;

  const confirm = async (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (!ready || pending) return;
    setPending(true);
    setProblem(null);
    try {
      const result = await onConfirm();
      if (!result || result.ok) onClose();
      else {
        const unshown = result.problem ? unshownProblem(result.problem) : null;
        if (unshown) showInPlace(unshown);
        setProblem(unshown);
      }
    } finally {
      setPending(false);
    }
  };

  return (
    <form onSubmit={confirm} className="flex flex-col gap-4">
      {typeToConfirm !== undefined && (
        <div className="flex flex-col gap-1.5">
          <Label htmlFor={id} className="block font-normal text-muted-foreground">
            {t.rich("confirm.typeName", {
              name: () => (
                <strong className="select-text break-words font-medium text-foreground">{typeToConfirm}</strong>
              ),
            })}
          </Label>
          <Input
            id={id}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </div>
      )}
      {problem && (
        <Alert tone="danger" title={problem.title}>
          {problem.detail}
        </Alert>
      )}
      <AlertDialogFooter>
        <AlertDialogCancel asChild>
          <Button variant="secondary">{cancelLabel ?? t("cancel")}</Button>
        </AlertDialogCancel>
        <Button type="submit" variant={tone} disabled={!ready} loading={pending}>
          {confirmLabel}
        </Button>
      </AlertDialogFooter>
    </form>
  );
}
