"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { notify } from "@/lib/client/notify";
import { useNotifiedCall } from "@/lib/client/use-operation";

/** What an undo ended with. */
export type Undone = { title: string; description?: string; failed?: true };

/**
 * Returns a function that notifies of a change, with a button that undoes it. The undo is an operation of its own, which
 * checks the rights, that nothing has changed since, and is recorded.
 * `undo` makes the call; it returns what to show if that is not "Undone". Without it, there is no button.
 */
export function useUndo(): (title: string, undo?: () => Promise<Undone | object | undefined>) => void {
  const t = useTranslations("common.undo");
  const router = useRouter();
  const notified = useNotifiedCall();
  return (title, undo) => {
    const run = async () => {
      const result = undo ? await notified(undo) : null;
      if (result === null) return;
      const { title: outcome = t("done"), description, failed } = (result ?? {}) as Partial<Undone>;
      notify[failed ? "warning" : "success"](outcome, { description });
      router.refresh();
    };
    notify.success(title, undo ? { action: { label: t("action"), onClick: run } } : {});
  };
}
