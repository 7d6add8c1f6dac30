"use client";

import { ListOrdered, Pencil, Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { DialogButton, type DialogButtonProps } from "@/components/common/dialog-button";
import { lazyDialog } from "@/components/common/lazy-dialog";
import { OpenedDialog } from "@/components/common/opened-dialog";
import { RowButton } from "@/components/common/row-button";
import { useDialog } from "@/components/common/use-dialog";
import type { Environment } from "@/lib/features/environments/schema";

// Loaded when it is opened for the first time, not with the list.
const EnvironmentDialog = lazyDialog(() => import("./environment-dialog").then((file) => file.EnvironmentDialog));

const EnvironmentOrderDialog = lazyDialog(() =>
  import("./environment-order-dialog").then((file) => file.EnvironmentOrderDialog),
);

/** The fields of an environment that its dialogs need. */
export type EnvironmentFields = Pick<Environment, "id" | "appId" | "name" | "status" | "identifiers" | "updatedAt">;

/** Opens the dialog that adds an environment. */
export function CreateEnvironmentButton({ appId, variant }: { appId: string } & Pick<DialogButtonProps, "variant">) {
  const t = useTranslations("environments");
  return (
    <DialogButton variant={variant} dialog={(dialog) => <EnvironmentDialog appId={appId} {...dialog} />}>
      {/* Beside other actions, a phone has no room for it in each language. */}
      <Plus aria-hidden className={variant === "secondary" ? "max-lg:hidden" : undefined} />
      {t("create")}
    </DialogButton>
  );
}

/** Opens the dialog that changes an environment, from its card. */
export function UpdateEnvironmentButton({ environment }: { environment: EnvironmentFields }) {
  const t = useTranslations("environments");
  const common = useTranslations("common");
  const update = useDialog();
  return (
    <>
      <RowButton
        label={t("editOf", { name: environment.name })}
        title={common("edit")}
        icon={<Pencil aria-hidden />}
        onClick={update.show}
      />
      <OpenedDialog state={update}>
        {(dialog) => <EnvironmentDialog appId={environment.appId} environment={environment} {...dialog} />}
      </OpenedDialog>
    </>
  );
}

/** Opens the dialog that puts the environments of an application in order. */
export function ReorderEnvironmentsButton({ appId }: { appId: string }) {
  const t = useTranslations("environments.order");
  return (
    <DialogButton variant="secondary" dialog={(dialog) => <EnvironmentOrderDialog appId={appId} {...dialog} />}>
      <ListOrdered aria-hidden />
      {t("open")}
    </DialogButton>
  );
}
