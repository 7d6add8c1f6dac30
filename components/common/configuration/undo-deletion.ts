import { command, query } from "@/lib/client/client";
import type { EntryKind } from "@/lib/features/configuration/schema";

/** Number of versions of a key in which its deletion is searched for; other kinds can have the same key. */
const SEARCHED_VERSIONS = 10;

/**
 * Restores a deleted entry as it was before.
 * @returns false, and restores nothing, if the key has been used again since
 * @throws ApiCallError
 */
export async function undoDeletion(
  kind: EntryKind,
  { environmentId, key }: { environmentId: string; key: string },
): Promise<boolean> {
  const { items } = await query("apps/get-configuration-versions", { environmentId, key, limit: SEARCHED_VERSIONS });
  const changed = items.flatMap(({ version, changes }) => {
    const change = changes.find((one) => one.kind === kind && one.key === key);
    return change ? [{ version, action: change.action }] : [];
  });
  const latest = changed[0];
  if (latest?.action !== "delete") return false;
  await command("apps/restore-configuration", { environmentId, version: latest.version - 1, kinds: [kind], key });
  return true;
}
