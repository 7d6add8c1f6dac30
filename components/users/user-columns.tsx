import { useTranslations } from "next-intl";
import type { DataTableColumn } from "@/components/common/data-table/data-table";
import { RelativeTime } from "@/components/common/relative-time";
import type { AdministeredUser } from "@/lib/features/users/schema";

/** How users sign in. */
export function useProviderColumn(): DataTableColumn<AdministeredUser> {
  const t = useTranslations("users");
  return {
    key: "provider",
    header: t("provider"),
    sort: "provider",
    className: "whitespace-nowrap",
    cell: ({ provider }) => t(`providers.${provider}`),
  };
}

/** When users signed in last. */
export function useLastSignInColumn(): DataTableColumn<AdministeredUser> {
  const t = useTranslations("users");
  return {
    key: "lastSignIn",
    header: t("lastSignIn"),
    sort: "lastSignInAt",
    className: "whitespace-nowrap text-muted-foreground",
    cell: ({ lastSignInAt }) => (lastSignInAt ? <RelativeTime date={lastSignInAt} /> : t("neverSignedIn")),
  };
}
