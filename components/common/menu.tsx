"use client";

import type { ReactElement, ReactNode } from "react";
import { lazyOverlay, OnDemand } from "./on-demand";

export type MenuItem = {
  label: string;
  icon?: ReactNode;
  disabled?: boolean;
  /** Cannot be undone: shown in red below a line. */
  destructive?: boolean;
  /** This is where the reader is. */
  current?: boolean;
} & ({ href: string; onSelect?: () => void } | { href?: undefined; onSelect: () => void });

export type MenuOption = {
  value: string;
  label: string;
  icon?: ReactNode;
  /** The language of the label, where it is not the page's. */
  lang?: string;
};

/** Things to do or places to go, or a choice of one among several. */
export type MenuSection =
  | { label?: string; items: readonly MenuItem[] }
  | { label?: string; value: string; onValueChange: (value: string) => void; options: readonly MenuOption[] };

export type MenuProps = {
  /** The button that opens the menu. */
  trigger: ReactElement;
  sections: readonly MenuSection[];
  /** Above the sections: text only. */
  header?: ReactNode;
  align?: "start" | "end";
  className?: string;
};

const dropdown = lazyOverlay<Omit<MenuProps, "trigger">>(() =>
  import("./menu-dropdown").then((module) => module.MenuDropdown),
);

/** A menu behind a button. Its code comes with the first pointer or focus on the button. */
export function Menu({ trigger, ...overlayProps }: MenuProps) {
  return <OnDemand overlay={dropdown} popup="menu" trigger={trigger} overlayProps={overlayProps} />;
}
