import { useTranslations } from "next-intl";
import type { StatusBadgeProps } from "../status-badge";
import type { ConflictField } from "./edit-conflict";

/** The field of the active/inactive switch of a form, for `useEditConflict`. */
export function useStatusConflict(gender: NonNullable<StatusBadgeProps["gender"]> = "masculine") {
  const t = useTranslations("common.status");
  return {
    name: "status",
    label: t("label"),
    show: (value) => t(value === "inactive" ? "inactive" : "active", { gender }),
  } satisfies ConflictField<{ status: string }>;
}
