import type { ReactNode } from "react";
import type { DialogProps } from "@/components/common/use-dialog";

/** The signed-in user, as shown by the shell. */
export type ShellSession = {
  firstNames: string;
  lastNames: string;
  email: string;
  roleName: string;
  avatarUrl: string | null;
  isAdmin: boolean;
};

/** The app config's name and logo. */
export type ShellBrand = {
  name: string;
  /** Null for the product's own logo. */
  logoUrl: string | null;
};

export type NavItem = {
  key: string;
  /** In the user's language. */
  label: string;
  href: string;
  icon: ReactNode;
  /** Other paths that belong to this entry; on them, it is shown as the current one. */
  paths?: readonly string[];
  /** The environment that it opens, which is then current instead of a path. */
  environmentId?: string;
  /** `false` if the role has no access. */
  visible?: boolean;
  /** Whether only the command palette offers it. */
  paletteOnly?: boolean;
};

export type NavGroup = {
  key: "environments" | "distribute" | "configure" | "administer";
  items: readonly NavItem[];
};

export type ShellApp = {
  id: string;
  name: string;
  /** Its picture. */
  iconUrl: string | null;
  /** The link that opens it. */
  href: string;
  /** The links to its environments, or to the first ones. */
  environments: readonly { id: string; name: string; href: string; canPublish: boolean }[];
};

/** The navigation of the shell. */
export type ShellNavigation = {
  /** On desktops. */
  sidebar: ReactNode;
  /** Whether the sidebar has only icons. */
  collapsed: boolean;
  /** The sheet with the navigation on phones. */
  sheet: (dialog: DialogProps) => ReactNode;
};

/** The applications of the switcher. */
export type ShellApps = {
  apps: readonly ShellApp[];
  /** Finds further applications; null if `apps` are all. */
  search: ((text: string, signal: AbortSignal) => Promise<readonly ShellApp[]>) | null;
  /** Loads an application that is not among `apps`, such as one that was just added. */
  load: (appId: string) => Promise<ShellApp | null>;
};

/** The groups of the command palette. */
export type PaletteGroup =
  | "goTo"
  | "actions"
  | "apps"
  | "environments"
  | "configuration"
  | "variables"
  | "releases"
  | "users"
  | "roles";

/** An entry of the command palette: a page to open, or an action. */
export type PaletteEntry = {
  id: string;
  group: PaletteGroup;
  /** In the user's language, as are the other texts. */
  label: string;
  /** Shown after the label, as far as there is room. */
  detail?: string;
  /** Where it belongs; shown at the end of the line. */
  description?: string;
  /** Further words by which it is found. */
  keywords?: string;
  icon?: ReactNode;
  /** Shown before something is typed. */
  suggested?: boolean;
  href?: string;
  onRun?: () => void;
};

/** Searches what the shell does not know. */
export type SearchFunction = (query: string, signal: AbortSignal) => Promise<readonly PaletteEntry[]>;
