"use client";

import { KeyRound } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { query } from "@/lib/client/client";
import type { OperationOutput } from "@/lib/client/operation-types";
import { useNotifiedCall } from "@/lib/client/use-operation";
import type { SecureCertificate, SigningKey } from "@/lib/features/certificates/schema";
import { SigningKeyFormOnDemand } from "./signing-key-form-on-demand";

/** The certificate files of an environment that have keys, over all pages of the list. */
async function keyFiles(environmentId: string): Promise<SecureCertificate[]> {
  const items: SecureCertificate[] = [];
  let cursor: string | undefined;
  do {
    const page: OperationOutput<"apps/get-secure-certificates"> = await query("apps/get-secure-certificates", {
      environmentId,
      cursor,
      limit: 100,
    });
    items.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return items.filter(({ format }) => format === "p12" || format === "pfx");
}

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
      return { signingKey, files: await keyFiles(environmentId) };
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
