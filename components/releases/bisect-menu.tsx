"use client";

import { Trash2 } from "lucide-react";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { ActionMenu } from "@/components/common/action-menu";
import { ConfirmDialogOnDemand } from "@/components/common/confirm-dialog-on-demand";
import { OpenedDialog } from "@/components/common/opened-dialog";
import { useDeletion } from "@/components/common/use-deletion";
import { useDialog } from "@/components/common/use-dialog";
import { notify } from "@/lib/client/notify";
import { PAGES } from "@/lib/kernel/navigation/pages";

/** The menu of a search for a build. @param name of the search, for assistive technology */
export function BisectMenu({ id, name }: { id: string; name: string }) {
  const t = useTranslations("bisects");
  const common = useTranslations("common");
  const router = useRouter();
  const [pathname, parameters] = [usePathname(), useSearchParams()];
  const isOwnPage = pathname === PAGES.bisect && parameters.get("id") === id;
  const deletion = useDialog();
  const { run: remove } = useDeletion("apps/delete-bisect", { id }, () => {
    notify.success(t("removed"));
    if (isOwnPage) router.push(PAGES.bisect);
  });
  return (
    <>
      <ActionMenu
        name={name}
        actions={[
          { label: common("delete"), icon: <Trash2 aria-hidden />, onSelect: deletion.show, destructive: true },
        ]}
      />
      <OpenedDialog state={deletion}>
        {(dialog) => (
          <ConfirmDialogOnDemand
            {...dialog}
            title={t("deleteTitle")}
            description={t("deleteDescription")}
            confirmLabel={common("delete")}
            onConfirm={remove}
          />
        )}
      </OpenedDialog>
    </>
  );
}
