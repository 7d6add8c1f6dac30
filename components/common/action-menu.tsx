"use client";

import { Ellipsis } from "lucide-react";
import { useTranslations } from "next-intl";
import { Menu, type MenuItem } from "./menu";
import { RowButton } from "./row-button";

export type ActionMenuProps = {
  /** The object of the actions, such as the row's name; part of the button's accessible name. */
  name?: string;
  actions: readonly MenuItem[];
};

/** The "⋯" menu of a row, card or page. */
export function ActionMenu({ name, actions }: ActionMenuProps) {
  const t = useTranslations("common");
  const label = name ? t("moreActionsFor", { name }) : t("moreActions");
  return (
    <Menu
      align="end"
      sections={[{ items: actions }]}
      trigger={<RowButton label={label} icon={<Ellipsis aria-hidden />} />}
    />
  );
}
