"use client";

import type { ReactElement, ReactNode } from "react";
import { lazyOverlay, OnDemand } from "./on-demand";

export type MenuItem = {
  label: string;
  icon?: ReactNode;
  disabled?: boolean;
  /** For actions that cannot be undone: shown in red below a separator. */
  destructive?: boolean;
  /** Marks the current page. */
  current?: boolean;
} & (
  | { href: string; onSelect?: () => void; items?: undefined }
  | { href?: undefined; onSelect: () => void; items?: undefined }
  /** A menu of its own, which opens beside the item. */
  | { href?: undefined; items: readonly MenuItem[] }
);

type MenuOption = {
  value: string;
  label: string;
  icon?: ReactNode;
  /** The language of the label, if it differs from the page's. */
  lang?: string;
};

/** Actions, links, or a choice of one among several. */
export type MenuSection =
  | { label?: string; items: readonly MenuItem[] }
  | { label?: string; value: string; onValueChange: (value: string) => void; options: readonly MenuOption[] };

export type MenuProps = {
  /** The button that opens the menu. */
  trigger: ReactElement;
  sections: readonly MenuSection[];
  /** Text above the sections. */
  header?: ReactNode;
  align?: "start" | "end";
  className?: string;
};

const dropdown = lazyOverlay<Omit<MenuProps, "trigger">>(() =>
  import("./menu-dropdown").then((module) => module.MenuDropdown),
);

/** A menu behind a button. Its code is loaded when the button is hovered or focused. */
export function Menu({ trigger, ...overlayProps }: MenuProps) {
  return <OnDemand overlay={dropdown} popup="menu" trigger={trigger} overlayProps={overlayProps} />;
}
