"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { query } from "@/lib/client/client";
import { notify } from "@/lib/client/notify";
import { useNotifiedCall, useOperation } from "@/lib/client/use-operation";
import type { EntryKind } from "@/lib/features/configuration/schema";

/** Number of versions of a key in which its deletion is searched for; other kinds can have the same key. */
const SEARCHED_VERSIONS = 10;

/**
 * Returns a function that restores a deleted entry as it was before. If the key has been used again since, it restores
 * nothing and says so.
 */
export function useUndoDeletion(kind: EntryKind, entry: { environmentId: string; key: string }): () => Promise<void> {
  const t = useTranslations("configuration.undo");
  const router = useRouter();
  const notified = useNotifiedCall();
  const restore = useOperation("apps/restore-configuration");
  const { environmentId, key } = entry;

  const undo = async () => {
    const { items } = await query("apps/get-configuration-versions", { environmentId, key, limit: SEARCHED_VERSIONS });
    const changed = items.flatMap(({ version, changes }) => {
      const change = changes.find((one) => one.kind === kind && one.key === key);
      return change ? [{ version, action: change.action }] : [];
    });
    const latest = changed[0];
    if (latest?.action !== "delete") {
      notify.warning(t("keyInUse", { key }), { description: t("keyInUseDetail") });
      return;
    }
    const result = await restore.run({ environmentId, version: latest.version - 1, kinds: [kind], key });
    if (!result.ok) return;
    notify.success(t("done", { key }));
    router.refresh();
  };

  return async () => {
    await notified(undo);
  };
}
