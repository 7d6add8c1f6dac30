"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { DialogButton } from "@/components/common/dialog-button";
import { lazyDialog } from "@/components/common/lazy-dialog";
import { LinkButton } from "@/components/common/link-button";
import { Card } from "@/components/ui/card";
import { TOKENS_PATH } from "@/lib/kernel/navigation/pages";

const ChangePasswordDialog = lazyDialog(() =>
  import("./change-password-dialog").then((file) => file.ChangePasswordDialog),
);

/** The password of a user who signs in by email. */
export function PasswordCard({ email }: { email: string }) {
  const t = useTranslations("profile.password");
  return (
    <AccountCard title={t("title")} description={t("description")}>
      <DialogButton variant="secondary" dialog={(dialog) => <ChangePasswordDialog email={email} {...dialog} />}>
        {t("change")}
      </DialogButton>
    </AccountCard>
  );
}

/** How the user gets an API token: administrators create them, others have to ask one. */
export function ApiTokensCard({ isAdmin }: { isAdmin: boolean }) {
  const t = useTranslations("profile.apiTokens");
  return (
    <AccountCard title={t("title")} description={t(isAdmin ? "manage" : "ask")}>
      {isAdmin && (
        <LinkButton href={TOKENS_PATH} variant="secondary">
          {t("open")}
        </LinkButton>
      )}
    </AccountCard>
  );
}

type AccountCardProps = { title: string; description: string; children?: ReactNode };

function AccountCard({ title, description, children }: AccountCardProps) {
  return (
    <Card className="flex max-w-2xl flex-row flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-4 lg:px-5">
      <div className="flex min-w-0 flex-1 basis-64 flex-col gap-0.5">
        <h2 className="font-medium">{title}</h2>
        <p className="text-pretty text-muted-foreground leading-5">{description}</p>
      </div>
      {children}
    </Card>
  );
}
