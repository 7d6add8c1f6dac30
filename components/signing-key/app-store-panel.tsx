"use client";

import { useTranslations } from "next-intl";
import { query } from "@/lib/client/client";
import { AppStoreFormOnDemand } from "./app-store-form-on-demand";
import { environmentFiles } from "./environment-files";
import { KeyPanel } from "./key-panel";

export type AppStorePanelProps = { environmentId: string; canWrite: boolean };

/** Shows by which key an environment registers devices with Apple. */
export function AppStorePanel({ environmentId, canWrite }: AppStorePanelProps) {
  const t = useTranslations("appStoreKey");
  const load = async () => {
    const appStoreKey = await query("devices/get-app-store-key", { environmentId });
    return { appStoreKey, files: await environmentFiles(environmentId, ["key", "pem"]) };
  };
  return (
    <KeyPanel label={t("show")} load={load}>
      {(loaded) => <AppStoreFormOnDemand {...loaded} canWrite={canWrite} />}
    </KeyPanel>
  );
}
