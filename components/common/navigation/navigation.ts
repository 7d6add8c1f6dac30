import {
  Boxes,
  CalendarClock,
  HardDrive,
  HeartPulse,
  House,
  LayoutDashboard,
  type LucideIcon,
  MonitorSmartphone,
  ScrollText,
  Settings2,
  ShieldCheck,
  Smartphone,
  Split,
  TabletSmartphone,
  UserCog,
  UsersRound,
  Webhook,
} from "lucide-react";
import type { NavGroup } from "@/components/common/shell/types";
import type { Messages } from "@/lib/kernel/i18n/translator";
import { PAGES } from "@/lib/kernel/navigation/pages";

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
  /** Whether only the command palette offers it: it is a tab of another page. */
  paletteOnly?: true;
};

/** Every page of the navigation, in order. The sidebar, the phone's sheet and the command palette are built from it. */
export const NAVIGATION: readonly Destination[] = [
  {
    key: "home",
    group: "distribute",
    href: PAGES.home,
    icon: House,
    paths: [
      PAGES.appEnvironments,
      PAGES.manageAppEnvironments,
      PAGES.manageReleases,
      PAGES.manageDevVariables,
      PAGES.manageSecureVariables,
      PAGES.manageSecureCertificates,
      PAGES.releases,
      PAGES.feedback,
      PAGES.shareLinks,
      PAGES.bin,
      PAGES.testers,
    ],
  },
  { key: "devices", group: "distribute", href: PAGES.devices, icon: TabletSmartphone },
  { key: "expiry", group: "distribute", href: PAGES.expiry, icon: CalendarClock },
  { key: "bisects", group: "distribute", href: PAGES.bisect, icon: Split, paletteOnly: true },
  { key: "dashboard", group: "administer", href: PAGES.adminDashboard, icon: LayoutDashboard, adminOnly: true },
  {
    key: "apps",
    group: "administer",
    href: PAGES.adminApps,
    icon: Boxes,
    paths: [
      PAGES.adminApp,
      PAGES.adminEnvironment,
      PAGES.adminReleases,
      PAGES.adminDevVariables,
      PAGES.adminSecureVariables,
      PAGES.adminSecureCertificates,
    ],
    adminOnly: true,
  },
  { key: "platforms", group: "administer", href: PAGES.adminPlatforms, icon: Smartphone, adminOnly: true },
  {
    key: "people",
    group: "administer",
    href: PAGES.adminUsers,
    icon: UsersRound,
    paths: [PAGES.adminRoles, PAGES.adminPermissions],
    adminOnly: true,
  },
  {
    key: "users",
    group: "administer",
    href: PAGES.adminUsers,
    icon: UsersRound,
    adminOnly: true,
    paletteOnly: true,
  },
  { key: "roles", group: "administer", href: PAGES.adminRoles, icon: UserCog, adminOnly: true, paletteOnly: true },
  {
    key: "permissions",
    group: "administer",
    href: PAGES.adminPermissions,
    icon: ShieldCheck,
    adminOnly: true,
    paletteOnly: true,
  },
  { key: "adminDevices", group: "administer", href: PAGES.adminDevices, icon: MonitorSmartphone, adminOnly: true },
  { key: "logs", group: "administer", href: PAGES.adminLogs, icon: ScrollText, adminOnly: true },
  { key: "webhooks", group: "administer", href: PAGES.adminWebhooks, icon: Webhook, adminOnly: true },
  { key: "storage", group: "administer", href: PAGES.adminStorage, icon: HardDrive, adminOnly: true },
  { key: "health", group: "administer", href: PAGES.adminHealth, icon: HeartPulse, adminOnly: true },
  { key: "appConfig", group: "administer", href: PAGES.adminSettings, icon: Settings2, adminOnly: true },
];

const GROUPS: readonly NavGroup["key"][] = ["distribute", "configure", "administer"];

/** The groups of the navigation with the pages that the user can open. */
export function destinationsByGroup(isAdmin: boolean): { key: NavGroup["key"]; destinations: Destination[] }[] {
  return GROUPS.map((key) => ({
    key,
    destinations: NAVIGATION.filter(({ group, adminOnly }) => group === key && (isAdmin || !adminOnly)),
  })).filter(({ destinations }) => destinations.length > 0);
}
