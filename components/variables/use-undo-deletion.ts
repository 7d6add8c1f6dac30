"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { query } from "@/lib/client/client";
import { notify } from "@/lib/client/notify";
import { useNotifiedCall, useOperation } from "@/lib/client/use-operation";
import type { VariableKind } from "@/lib/features/configuration/schema";
import type { SecureVariable } from "@/lib/features/variables/schema";

/**
 * Returns a function that restores the version before a variable's deletion. If the configuration has changed since, it
 * restores nothing and says so, because it would undo these changes too.
 */
export function useUndoDeletion(kind: VariableKind, variable: SecureVariable): () => Promise<void> {
  const t = useTranslations("variables");
  const router = useRouter();
  const notified = useNotifiedCall();
  const restore = useOperation("apps/restore-configuration");
  const { environmentId, key } = variable;

  const undo = async () => {
    const { items } = await query("apps/get-configuration-versions", { environmentId, limit: 1 });
    const [latest] = items;
    const [change] = latest?.changes ?? [];
    const isDeletion = change?.action === "delete" && change.kind === kind && change.key === key;
    if (latest?.changeCount !== 1 || !isDeletion) {
      notify.warning(t("undoChanged", { key }), { description: t("undoChangedDetail") });
      return;
    }
    const result = await restore.run({ environmentId, version: latest.version - 1, kinds: [kind] });
    if (!result.ok) return;
    notify.success(t("undone", { key }));
    router.refresh();
  };

  return async () => {
    await notified(undo);
  };
}
