"use client";

import { KeyRound } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { query } from "@/lib/client/client";
import { useNotifiedCall } from "@/lib/client/use-operation";
import type { SecureCertificate } from "@/lib/features/certificates/schema";
import type { AppStoreKey } from "@/lib/features/devices/schema";
import { AppStoreFormOnDemand } from "./app-store-form-on-demand";
import { environmentFiles } from "./environment-files";

export type AppStorePanelProps = { environmentId: string; canWrite: boolean };

/** Shows by which key an environment registers devices with Apple. It is asked for here, because it needs the second factor. */
export function AppStorePanel({ environmentId, canWrite }: AppStorePanelProps) {
  const t = useTranslations("appStoreKey");
  const notified = useNotifiedCall();
  const [pending, setPending] = useState(false);
  const [loaded, setLoaded] = useState<{ appStoreKey: AppStoreKey; files: SecureCertificate[] } | null>(null);
  const load = async () => {
    setPending(true);
    const found = await notified(async () => {
      const appStoreKey = await query("devices/get-app-store-key", { environmentId });
      return { appStoreKey, files: await environmentFiles(environmentId, ["key", "pem"]) };
    });
    setPending(false);
    if (found) setLoaded(found);
  };
  if (loaded) return <AppStoreFormOnDemand {...loaded} canWrite={canWrite} />;
  return (
    <Button
      variant="secondary"
      className="self-start max-lg:self-stretch"
      loading={pending}
      onClick={() => void load()}
    >
      <KeyRound aria-hidden />
      {t("show")}
    </Button>
  );
}
