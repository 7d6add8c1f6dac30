"use client";

import { CommandPalette } from "@/components/common/shell/command-palette";
import type { ShellApp } from "@/components/common/shell/types";
import type { DialogProps } from "@/components/common/use-dialog";
import { usePaletteEntries } from "./palette-entries";
import { useConsoleSearch } from "./search-console";

export type ConsolePaletteProps = DialogProps & {
  isAdmin: boolean;
  /** The applications that the shell knows. */
  apps: readonly ShellApp[];
  onSignOut: () => void;
};

/** The command palette with the product's pages, actions and search. */
export function ConsolePalette({ isAdmin, apps, onSignOut, ...dialog }: ConsolePaletteProps) {
  const entries = usePaletteEntries({ isAdmin, apps, onSignOut });
  const search = useConsoleSearch(isAdmin);
  return <CommandPalette {...dialog} entries={entries} onSearch={search} />;
}
