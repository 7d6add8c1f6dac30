"use client";

import { KEYSTORE_FORMATS } from "@slipway/certificates";
import { useTranslations } from "next-intl";
import { query } from "@/lib/client/client";
import { environmentFiles } from "./environment-files";
import { KeyPanel } from "./key-panel";
import { SigningKeyFormOnDemand } from "./signing-key-form-on-demand";

export type SigningKeyPanelProps = { environmentId: string; canWrite: boolean };

/** Shows whose key signs the APKs of an environment's bundles. */
export function SigningKeyPanel({ environmentId, canWrite }: SigningKeyPanelProps) {
  const t = useTranslations("signingKey");
  const load = async () => {
    const signingKey = await query("apps/get-signing-key", { environmentId });
    return { signingKey, files: await environmentFiles(environmentId, KEYSTORE_FORMATS) };
  };
  return (
    <KeyPanel label={t("show")} load={load}>
      {(loaded) => <SigningKeyFormOnDemand {...loaded} canWrite={canWrite} />}
    </KeyPanel>
  );
}
