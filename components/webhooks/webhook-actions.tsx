"use client";

import { History, KeyRound, Pencil, Plus, Power, Send } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { ActionMenu } from "@/components/common/action-menu";
import { DialogButton } from "@/components/common/dialog-button";
import { DialogPlace, DialogPlaceButton } from "@/components/common/dialog-place";
import { lazyDialog } from "@/components/common/lazy-dialog";
import { OpenedDialog } from "@/components/common/opened-dialog";
import { useDialog } from "@/components/common/use-dialog";
import { useMenuDeletion } from "@/components/common/use-menu-deletion";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";
import type { Webhook } from "@/lib/features/webhooks/schema";
import { failureKey } from "./failure-key";

// Loaded when they are opened for the first time, not with the list.
const CreateWebhookDialog = lazyDialog(() => import("./webhook-dialog").then((file) => file.CreateWebhookDialog));
const UpdateWebhookDialog = lazyDialog(() => import("./webhook-dialog").then((file) => file.UpdateWebhookDialog));
const RotateSecretDialog = lazyDialog(() => import("./rotate-secret-dialog").then((file) => file.RotateSecretDialog));
const DeliveriesDialog = lazyDialog(() => import("./deliveries-dialog").then((file) => file.DeliveriesDialog));

/** Opens the dialog that adds a webhook. */
export function CreateWebhookButton() {
  const t = useTranslations("webhooks");
  return (
    <DialogButton dialog={(dialog) => <CreateWebhookDialog {...dialog} />}>
      <Plus aria-hidden />
      {t("create")}
    </DialogButton>
  );
}

/** Renders the dialog that adds a webhook beside a list, for the button of its empty state. */
export function CreateWebhookPlace({ children }: { children: ReactNode }) {
  return (
    <DialogPlace requestedAs="create-webhook" dialog={(dialog) => <CreateWebhookDialog {...dialog} />}>
      {children}
    </DialogPlace>
  );
}

/** Opens the dialog of the surrounding `CreateWebhookPlace`. */
export function CreateFirstWebhookButton() {
  const t = useTranslations("webhooks");
  return (
    <DialogPlaceButton>
      <Plus aria-hidden />
      {t("create")}
    </DialogPlaceButton>
  );
}

/** The menu of a webhook in the list. */
export function WebhookMenu({ webhook }: { webhook: Webhook }) {
  const t = useTranslations("webhooks");
  const common = useTranslations("common");
  const router = useRouter();
  const { id, name, status } = webhook;
  const [update, log, rotate] = [useDialog(), useDialog(), useDialog()];
  const test = useOperation("webhooks/test-webhook");
  const turn = useOperation("webhooks/update-webhook");
  const deletion = useMenuDeletion(
    "webhooks/delete-webhook",
    { id },
    { title: t("deleteTitle", { name }), description: t("deleteDescription") },
    () => notify.success(t("deleted", { name })),
  );

  const sendTest = async () => {
    const result = await test.run({ id });
    if (!result.ok) return;
    const attempt = result.data.attempts.at(-1);
    if (result.data.state === "delivered") {
      notify.success(t("testDelivered", { name }), { description: t("answered", { status: attempt?.status ?? 0 }) });
      return;
    }
    const why = attempt?.failure ? t(failureKey(attempt.failure)) : t("answered", { status: attempt?.status ?? 0 });
    notify.error(t("testFailed", { name }), { description: why });
  };
  const next = status === "active" ? "inactive" : "active";
  const switchStatus = async () => {
    const result = await turn.run({ id, status: next });
    if (!result.ok) return;
    notify.success(t(next === "active" ? "turnedOn" : "turnedOff", { name }));
    router.refresh();
  };

  return (
    <>
      <ActionMenu
        name={name}
        actions={[
          { label: common("edit"), icon: <Pencil aria-hidden />, onSelect: update.show },
          { label: t("test"), icon: <Send aria-hidden />, onSelect: sendTest },
          { label: t("deliveries"), icon: <History aria-hidden />, onSelect: log.show },
          { label: t("rotate"), icon: <KeyRound aria-hidden />, onSelect: rotate.show },
          { label: t(next === "active" ? "turnOn" : "turnOff"), icon: <Power aria-hidden />, onSelect: switchStatus },
          deletion.action,
        ]}
      />
      <OpenedDialog state={update}>{(dialog) => <UpdateWebhookDialog webhook={webhook} {...dialog} />}</OpenedDialog>
      <OpenedDialog state={log}>{(dialog) => <DeliveriesDialog webhook={webhook} {...dialog} />}</OpenedDialog>
      <OpenedDialog state={rotate}>{(dialog) => <RotateSecretDialog webhook={webhook} {...dialog} />}</OpenedDialog>
      {deletion.dialog}
    </>
  );
}
