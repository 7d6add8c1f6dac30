"use client";

import { useTranslations } from "next-intl";
import { useCallback, useState } from "react";
import type { FieldPath, FieldValues } from "react-hook-form";
import { SearchField, type SearchFieldProps } from "@/components/common/form/search-field";
import type { SearchOption, SearchOptions } from "@/components/common/search-list";
import { query } from "@/lib/client/client";
import { roleLabel } from "./role-label";

export type RoleFieldProps<Input extends FieldValues, Name extends FieldPath<Input>, Output> = Omit<
  SearchFieldProps<Input, Name, Output>,
  "option" | "search" | "onChoose"
> & {
  /** The initially selected role. */
  role?: { id: string; name: string };
  /** Excludes SUPER_ADMIN. */
  ordinary?: boolean;
  onChoose?: (role: { id: string; name: string }) => void;
};

/** Number of roles that a search shows. */
const SHOWN_ROLES = 20;

/** The role field of a form. Its value is the role's ID. */
export function RoleField<Input extends FieldValues, Name extends FieldPath<Input>, Output>({
  role,
  ordinary = false,
  onChoose,
  ...props
}: RoleFieldProps<Input, Name, Output>) {
  const t = useTranslations("roles");
  const [option, setOption] = useState<SearchOption | null>(
    role ? { value: role.id, label: roleLabel(role.name, t) } : null,
  );
  const search = useCallback<SearchOptions>(
    async (text, signal) => {
      const { items } = await query("config/get-roles", { search: text, limit: SHOWN_ROLES }, { signal });
      return items
        .filter(({ superAdmin }) => !(ordinary && superAdmin))
        .map(({ id, name }) => ({ value: id, label: roleLabel(name, t) }));
    },
    [ordinary, t],
  );
  const choose = (chosen: SearchOption) => {
    setOption(chosen);
    onChoose?.({ id: chosen.value, name: chosen.label });
  };
  return <SearchField option={option} search={search} onChoose={choose} {...props} />;
}
