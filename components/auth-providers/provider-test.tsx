"use client";

import { CircleAlert, CircleCheck, CircleHelp } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { cn } from "@/components/ui/cn";
import { type CallResult, useOperation } from "@/lib/client/use-operation";
import type { SsoProviderName, TestResult } from "@/lib/features/auth-providers/schema";

const OUTCOME_STYLES = {
  passed: { icon: CircleCheck, color: "text-success" },
  failed: { icon: CircleAlert, color: "text-danger" },
  unknown: { icon: CircleHelp, color: "text-muted-foreground" },
};

export type ProviderTestProps = { provider: SsoProviderName; configured: boolean };

/** Tests the saved configuration with the provider and shows the results. */
export function ProviderTest({ provider, configured }: ProviderTestProps) {
  const t = useTranslations("authProviders.configure.test");
  const test = useOperation("config/test-auth-provider", { quiet: true });
  const [result, setResult] = useState<CallResult<TestResult> | null>(null);

  const run = async () => {
    setResult(null);
    setResult(await test.run({ provider }));
  };

  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("title")}</CardTitle>
        <CardDescription>{configured ? t("description") : t("saveFirst")}</CardDescription>
      </CardHeader>
      <CardContent>
        <Button
          variant="secondary"
          onClick={run}
          loading={test.pending}
          disabled={!configured}
          className="self-start max-lg:self-stretch"
        >
          {t("action")}
        </Button>
        <div aria-live="polite" className="flex flex-col gap-4 empty:hidden">
          {result?.ok === false && (
            <Alert tone="danger" title={result.problem.title}>
              {result.problem.detail}
            </Alert>
          )}
          {result?.ok && <Findings {...result.data} />}
        </div>
      </CardContent>
    </Card>
  );
}

function Findings({ ok, checks }: TestResult) {
  const t = useTranslations("authProviders.configure.test");
  return (
    <>
      <p className={cn("font-medium", ok ? "text-success" : "text-danger")}>{ok ? t("ok") : t("notOk")}</p>
      <ul className="flex flex-col gap-3">
        {checks.map(({ check, outcome, message }) => {
          const { icon: Icon, color } = OUTCOME_STYLES[outcome];
          return (
            <li key={`${check} ${message}`} className="flex items-start gap-2.5">
              <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", color)} />
              <div className="min-w-0">
                <p className="font-medium">
                  {t(`checks.${check}`)}
                  <span className="sr-only">: {t(`outcomes.${outcome}`)}</span>
                </p>
                <p className="break-words text-muted-foreground">{message}</p>
              </div>
            </li>
          );
        })}
      </ul>
    </>
  );
}
