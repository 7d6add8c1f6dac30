"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { CopyField } from "@/components/common/copy-field";
import { Facts } from "@/components/common/facts";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { useOperation } from "@/lib/client/use-operation";
import type { ToolSignIn, ToolSignInInput } from "@/lib/features/tool-sign-in/schema";
import { PAGES } from "@/lib/kernel/navigation/pages";

export type ToolApprovalProps = { input: ToolSignInInput; request: ToolSignIn };

/**
 * Asks a person whether a command-line tool may sign in as them, and sends the answer to the tool. Where the tool is on another machine,
 * it shows a code that the person types there.
 */
export function ToolApproval({ input, request }: ToolApprovalProps) {
  const t = useTranslations("toolSignIn");
  const authorize = useOperation("auth/authorize-tool");
  const [code, setCode] = useState<string | null>(null);
  const [answering, setAnswering] = useState<"allow" | "deny" | null>(null);

  const allow = async () => {
    setAnswering("allow");
    const result = await authorize.run(input);
    if (result.ok && result.data.url !== null) window.location.assign(result.data.url);
    else setAnswering(null);
    if (result.ok) setCode(result.data.code);
  };
  const deny = () => {
    setAnswering("deny");
    window.location.assign(request.denyUrl ?? `${PAGES.authorizeTool}?result=denied`);
  };
  if (code !== null) {
    return (
      <div className="flex flex-col gap-5">
        <CopyField label={t("code")} value={code} />
        <Alert tone="warning">{t("codeHint")}</Alert>
      </div>
    );
  }

  return (
    <div className="flex flex-col gap-5">
      <Facts
        items={[
          { label: t("machine"), value: input.machine },
          // A tool on another machine calls later: the address of this browser is not the tool's.
          ...(request.receiver === null
            ? []
            : [
                { label: t("address"), value: <span className="font-mono">{request.address ?? t("unknown")}</span> },
                { label: t("receiver"), value: <span className="font-mono">{request.receiver}</span> },
              ]),
        ]}
      />
      <Alert tone="warning">
        {t.rich(request.receiver === null ? "warningCode" : "warning", {
          code: (text) => <code className="font-mono">{text}</code>,
        })}
      </Alert>
      <div className="flex flex-col gap-2.5">
        <Button size="lg" onClick={allow} loading={answering === "allow"} disabled={answering === "deny"}>
          {t("allow")}
        </Button>
        <Button
          size="lg"
          variant="secondary"
          onClick={deny}
          loading={answering === "deny"}
          disabled={answering === "allow"}
        >
          {t("deny")}
        </Button>
      </div>
      <p className="text-pretty text-muted-foreground text-sm">{t("revoke")}</p>
    </div>
  );
}
