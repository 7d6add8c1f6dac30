import {
  Boxes,
  House,
  LayoutDashboard,
  type LucideIcon,
  Settings2,
  ShieldCheck,
  Smartphone,
  UserCog,
  UsersRound,
} from "lucide-react";
import type { NavGroup } from "@/components/common/shell/types";
import type { Messages } from "@/lib/kernel/i18n/translator";

/** One page of the navigation. */
export type Destination = {
  /** Its key in the messages under `nav.pages`. */
  key: keyof Messages["nav"]["pages"];
  group: NavGroup["key"];
  href: string;
  icon: LucideIcon;
  /** Other paths that belong to it. */
  paths?: readonly string[];
  adminOnly?: boolean;
};

/** Every page of the navigation, in order. The sidebar, the phone's sheet and the command palette are built from it. */
export const NAVIGATION: readonly Destination[] = [
  {
    key: "home",
    group: "distribute",
    href: "/home",
    icon: House,
    paths: ["/app-environments", "/manage-app-environments", "/manage-testing-deploys", "/releases"],
  },
  { key: "dashboard", group: "administer", href: "/admin-dashboard", icon: LayoutDashboard, adminOnly: true },
  {
    key: "apps",
    group: "administer",
    href: "/admin-apps",
    icon: Boxes,
    paths: ["/registered-app", "/environment-app", "/testing-deploys"],
    adminOnly: true,
  },
  { key: "platforms", group: "administer", href: "/admin-platforms", icon: Smartphone, adminOnly: true },
  { key: "users", group: "administer", href: "/admin-users", icon: UsersRound, adminOnly: true },
  { key: "roles", group: "administer", href: "/admin-roles", icon: UserCog, adminOnly: true },
  { key: "permissions", group: "administer", href: "/admin-permissions", icon: ShieldCheck, adminOnly: true },
  { key: "appConfig", group: "administer", href: "/admin-app-config", icon: Settings2, adminOnly: true },
];

const GROUPS: readonly NavGroup["key"][] = ["distribute", "configure", "administer"];

/** The groups of the navigation with the pages that the user can open. */
export function destinationsByGroup(isAdmin: boolean): { key: NavGroup["key"]; destinations: Destination[] }[] {
  return GROUPS.map((key) => ({
    key,
    destinations: NAVIGATION.filter(({ group, adminOnly }) => group === key && (isAdmin || !adminOnly)),
  })).filter(({ destinations }) => destinations.length > 0);
}

/** The first page after signing in. */
export function startPath(isAdmin: boolean): string {
  return isAdmin ? "/admin-dashboard" : "/home";
}

/**
 * The page of an application: its administration for administrators, otherwise the environments that the user has
 * access to.
 */
export function appPath(appId: string, isAdmin: boolean): string {
  return `${isAdmin ? "/registered-app" : "/app-environments"}?app=${encodeURIComponent(appId)}`;
}
