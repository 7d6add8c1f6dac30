"use client";

import { KEYSTORE_FORMATS } from "@slipway/certificates";
import { KeyRound } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { query } from "@/lib/client/client";
import { useNotifiedCall } from "@/lib/client/use-operation";
import type { SecureCertificate, SigningKey } from "@/lib/features/certificates/schema";
import { environmentFiles } from "./environment-files";
import { SigningKeyFormOnDemand } from "./signing-key-form-on-demand";

export type SigningKeyPanelProps = { environmentId: string; canWrite: boolean };

/** Shows whose key signs the APKs of an environment's bundles. It is asked for here, because it needs the second factor. */
export function SigningKeyPanel({ environmentId, canWrite }: SigningKeyPanelProps) {
  const t = useTranslations("signingKey");
  const notified = useNotifiedCall();
  const [pending, setPending] = useState(false);
  const [loaded, setLoaded] = useState<{ signingKey: SigningKey; files: SecureCertificate[] } | null>(null);
  const load = async () => {
    setPending(true);
    const found = await notified(async () => {
      const signingKey = await query("apps/get-signing-key", { environmentId });
      return { signingKey, files: await environmentFiles(environmentId, KEYSTORE_FORMATS) };
    });
    setPending(false);
    if (found) setLoaded(found);
  };
  if (loaded) return <SigningKeyFormOnDemand {...loaded} canWrite={canWrite} />;
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
