import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { ConsoleFrame } from "@/components/common/navigation/frame-on-demand";
import { LicenseBanner } from "@/components/common/shell/license-banner";
import { LICENSE_NOTICE_COOKIE } from "@/components/common/shell/license-notice";
import {
  ADMINISTER_COOKIE,
  ADMINISTER_FOLDED,
  SIDEBAR_COLLAPSED,
  SIDEBAR_COOKIE,
} from "@/components/common/shell/sidebar-state";
import type { ShellBrand, ShellSession } from "@/components/common/shell/types";
import { Tour } from "@/components/common/tour/tour";
import { PublishingDock } from "@/components/releases/publishing/publishing-dock";
import type { OutputOf } from "@/lib/api/operation";
import type { getLicense } from "@/lib/features/license/operations/get-license";
import type { getNavigation } from "@/lib/features/navigation/operations/get-navigation";

export type ConsoleLayoutProps = {
  session: ShellSession;
  brand: ShellBrand;
  navigation: OutputOf<typeof getNavigation>;
  /** For administrators. */
  license: OutputOf<typeof getLicense> | null;
  children: ReactNode;
};

/** The layout of users who do more than install releases: the shell with its navigation. */
export async function ConsoleLayout({ session, brand, navigation, license, children }: ConsoleLayoutProps) {
  const cookieStore = await cookies();
  return (
    <ConsoleFrame
      session={session}
      brand={brand}
      apps={navigation.apps}
      hasMoreApps={navigation.hasMoreApps}
      defaultCollapsed={cookieStore.get(SIDEBAR_COOKIE)?.value === SIDEBAR_COLLAPSED}
      defaultAdministerFolded={cookieStore.get(ADMINISTER_COOKIE)?.value === ADMINISTER_FOLDED}
      banner={license && <LicenseBanner {...license} defaultHidden={cookieStore.has(LICENSE_NOTICE_COOKIE)} />}
    >
      <PublishingDock />
      {session.isAdmin && <Tour />}
      {children}
    </ConsoleFrame>
  );
}
