"use client";

import { KeyRound, ShieldCheck, ShieldOff, ShieldPlus } from "lucide-react";
import { useTranslations } from "next-intl";
import { DateTime } from "@/components/common/date-time";
import { DialogButton } from "@/components/common/dialog-button";
import { DocsLink } from "@/components/common/docs-link";
import { Facts } from "@/components/common/facts";
import { lazyDialog } from "@/components/common/lazy-dialog";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardDescription, CardFooter, CardTitle } from "@/components/ui/card";
import { cn } from "@/components/ui/cn";
import type { TwoFactor } from "@/lib/features/two-factor/schema";
import { PAGES } from "@/lib/kernel/navigation/pages";

const DeleteTwoFactorDialog = lazyDialog(() =>
  import("./delete-two-factor-dialog").then((file) => file.DeleteTwoFactorDialog),
);
const RecoveryCodesDialog = lazyDialog(() =>
  import("./recovery-codes-dialog").then((file) => file.RecoveryCodesDialog),
);

/** With this many codes left, the user is asked to create new ones. */
const FEW_CODES = 3;

export type TwoFactorCardProps = {
  twoFactor: TwoFactor;
  onBegin: () => void;
  /** Whether the enrollment is being started. */
  beginning: boolean;
};

/** The state of two-factor authentication with its actions. */
export function TwoFactorCard({ twoFactor, onBegin, beginning }: TwoFactorCardProps) {
  const t = useTranslations("twoFactor");
  const { enabled } = twoFactor;
  const Icon = enabled ? ShieldCheck : ShieldOff;
  return (
    <Card className="max-w-2xl">
      <CardContent>
        <div className="flex items-start gap-3.5">
          <div
            className={cn(
              "flex size-10 shrink-0 items-center justify-center rounded-lg border",
              enabled
                ? "border-success-border bg-success-surface text-success"
                : "border-border bg-muted text-muted-foreground",
            )}
          >
            <Icon aria-hidden className="size-5" />
          </div>
          <div className="flex min-w-0 flex-1 flex-col gap-1">
            <div className="flex flex-wrap items-center gap-2">
              <CardTitle>{t("title")}</CardTitle>
              <Badge tone={enabled ? "success" : "neutral"}>{t(enabled ? "on" : "off")}</Badge>
            </div>
            <CardDescription>{t(enabled ? "onDescription" : "offDescription")}</CardDescription>
          </div>
        </div>
        {enabled ? <EnabledFacts twoFactor={twoFactor} /> : <Requirements />}
        <DocsLink href={`${PAGES.docs}/two-factor`} />
      </CardContent>
      <CardFooter className="flex-wrap">
        {enabled ? (
          <EnabledActions />
        ) : (
          <Button onClick={onBegin} loading={beginning}>
            <ShieldPlus aria-hidden />
            {t("begin")}
          </Button>
        )}
      </CardFooter>
    </Card>
  );
}

function Requirements() {
  const t = useTranslations("twoFactor.needed");
  return (
    <ul className="flex list-disc flex-col gap-1 pl-5 text-muted-foreground marker:text-border">
      <li>{t("app")}</li>
      <li>{t("time")}</li>
    </ul>
  );
}

function EnabledFacts({ twoFactor: { enabledAt, recoveryCodesLeft } }: { twoFactor: TwoFactor }) {
  const t = useTranslations("twoFactor");
  return (
    <>
      {recoveryCodesLeft <= FEW_CODES && (
        <Alert tone="warning" title={t("fewCodes.title", { count: recoveryCodesLeft })}>
          {t("fewCodes.description")}
        </Alert>
      )}
      <Facts
        items={[
          { label: t("method"), value: t("methodApp") },
          { label: t("since"), value: enabledAt && <DateTime date={enabledAt} withTime /> },
          { label: t("recovery.title"), value: t("codesLeft", { count: recoveryCodesLeft }) },
        ]}
      />
    </>
  );
}

function EnabledActions() {
  const t = useTranslations("twoFactor");
  return (
    <>
      <DialogButton variant="secondary" dialog={(dialog) => <RecoveryCodesDialog {...dialog} />}>
        <KeyRound aria-hidden />
        {t("renew.action")}
      </DialogButton>
      <DialogButton variant="secondary" dialog={(dialog) => <DeleteTwoFactorDialog {...dialog} />}>
        <ShieldOff aria-hidden />
        {t("delete.action")}
      </DialogButton>
    </>
  );
}
