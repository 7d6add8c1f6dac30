"use client";

import { useState } from "react";
import type { FieldPath, FieldValues } from "react-hook-form";
import { SearchField, type SearchFieldProps } from "@/components/common/form/search-field";
import type { SearchOption } from "@/components/common/search-list";
import { query } from "@/lib/client/client";

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

async function searchRoles(search: string, signal: AbortSignal): Promise<(SearchOption & { superAdmin: boolean })[]> {
  const { items } = await query("config/get-roles", { search, limit: SHOWN_ROLES }, { signal });
  return items.map(({ id, name, superAdmin }) => ({ value: id, label: name, superAdmin }));
}

async function searchOrdinaryRoles(search: string, signal: AbortSignal): Promise<SearchOption[]> {
  return (await searchRoles(search, signal)).filter(({ superAdmin }) => !superAdmin);
}

/** The role field of a form. Its value is the role's ID. */
export function RoleField<Input extends FieldValues, Name extends FieldPath<Input>, Output>({
  role,
  ordinary = false,
  onChoose,
  ...props
}: RoleFieldProps<Input, Name, Output>) {
  const [option, setOption] = useState<SearchOption | null>(role ? { value: role.id, label: role.name } : null);
  const choose = (chosen: SearchOption) => {
    setOption(chosen);
    onChoose?.({ id: chosen.value, name: chosen.label });
  };
  return (
    <SearchField option={option} search={ordinary ? searchOrdinaryRoles : searchRoles} onChoose={choose} {...props} />
  );
}
