import type { ReactNode } from "react";

/** Who is signed in, as far as the shell shows it. */
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
  /** Without one the product's own mark stands in. */
  logoUrl: string | null;
};

export type NavItem = {
  key: string;
  /** In the reader's language. */
  label: string;
  href: string;
  icon: ReactNode;
  /** Other paths that belong to this entry, which is then shown as the current one. */
  paths?: readonly string[];
  /** `false` where the role does not reach. */
  visible?: boolean;
};

export type NavGroup = {
  key: "distribute" | "configure" | "administer";
  items: readonly NavItem[];
};

export type ShellApp = {
  id: string;
  name: string;
  logoUrl: string | null;
  /** Where choosing it leads. */
  href: string;
};

/** Something that the command palette found. */
export type SearchResult = {
  id: string;
  /** The heading it belongs under, in the reader's language. */
  group: string;
  label: string;
  description?: string;
  icon?: ReactNode;
  href: string;
};

/** Searches what the navigation does not name: applications, releases, users, actions. */
export type SearchFunction = (query: string, signal: AbortSignal) => Promise<readonly SearchResult[]>;
