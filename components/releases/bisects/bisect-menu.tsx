"use client";

import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { ActionMenu } from "@/components/common/action-menu";
import { useMenuDeletion } from "@/components/common/use-menu-deletion";
import { notify } from "@/lib/client/notify";
import { PAGES } from "@/lib/kernel/navigation/pages";

/** The menu of a search for a build. @param name of the search, for assistive technology */
export function BisectMenu({ id, name }: { id: string; name: string }) {
  const t = useTranslations("bisects");
  const router = useRouter();
  const [pathname, parameters] = [usePathname(), useSearchParams()];
  const isOwnPage = pathname === PAGES.bisect && parameters.get("id") === id;
  const deletion = useMenuDeletion(
    "apps/delete-bisect",
    { id },
    { title: t("deleteTitle"), description: t("deleteDescription") },
    () => {
      notify.success(t("removed"));
      if (isOwnPage) router.push(PAGES.bisect);
    },
  );
  return (
    <>
      <ActionMenu name={name} actions={[deletion.action]} />
      {deletion.dialog}
    </>
  );
}
