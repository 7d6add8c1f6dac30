import { cookies } from "next/headers";
import { getMessages, getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { ConsoleFrame } from "@/components/common/navigation/console-frame";
import { roleLabel } from "@/components/common/permissions/role-label";
import { SecondFactorGate } from "@/components/common/second-factor/second-factor-gate";
import { SessionGuard } from "@/components/common/session/session-guard";
import { LicenseBanner } from "@/components/common/shell/license-banner";
import { LICENSE_NOTICE_COOKIE } from "@/components/common/shell/license-notice";
import { MoreMessages } from "@/components/common/shell/more-messages";
import {
  ADMINISTER_COOKIE,
  ADMINISTER_FOLDED,
  SIDEBAR_COLLAPSED,
  SIDEBAR_COOKIE,
} from "@/components/common/shell/sidebar-state";
import { Tour } from "@/components/common/tour/tour";
import { PublishingDock } from "@/components/releases/publishing-dock";
import { call, type requireUser, sessionIdleSeconds } from "@/lib/api/call";
import { getUserProfile } from "@/lib/features/auth/operations/get-user-profile";
import { getAppConfig } from "@/lib/features/config/operations/get-app-config";
import { getLicense } from "@/lib/features/license/operations/get-license";
import { getNavigation } from "@/lib/features/navigation/operations/get-navigation";
import { shellMessages } from "@/lib/kernel/i18n/client-messages";
import { isTester } from "@/lib/permissions/tester";
import { RequestedRecord } from "./requested-record";

export type SignedInLayoutProps = { actor: Awaited<ReturnType<typeof requireUser>>; children: ReactNode };

/** The layout of every page after the sign-in: the shell with brand, user and applications. */
export async function SignedInLayout({ actor, children }: SignedInLayoutProps) {
  const tester = isTester(actor);
  const [messages, roles, cookieStore, brand, profile, navigation, license] = await Promise.all([
    getMessages(),
    getTranslations("roles"),
    cookies(),
    call(getAppConfig, {}),
    call(getUserProfile, {}),
    // Testers have no switcher.
    tester ? null : call(getNavigation, {}),
    actor.isAdmin ? call(getLicense, {}) : null,
  ]);
  const { user } = profile;
  return (
    <MoreMessages messages={shellMessages(messages, actor.isAdmin)}>
      <ConsoleFrame
        session={{
          firstNames: user.firstNames,
          lastNames: user.lastNames,
          email: user.email,
          roleName: roleLabel(user.role.name, roles),
          avatarUrl: user.avatarUrl,
          isAdmin: actor.isAdmin,
        }}
        brand={{ name: brand.name, logoUrl: brand.logoUrl }}
        apps={navigation?.apps ?? []}
        hasMoreApps={navigation?.hasMoreApps ?? false}
        isTester={tester}
        defaultCollapsed={cookieStore.get(SIDEBAR_COOKIE)?.value === SIDEBAR_COLLAPSED}
        defaultAdministerFolded={cookieStore.get(ADMINISTER_COOKIE)?.value === ADMINISTER_FOLDED}
        banner={license && <LicenseBanner {...license} defaultHidden={cookieStore.has(LICENSE_NOTICE_COOKIE)} />}
      >
        <SessionGuard profile={profile} exp={actor.exp} idleSeconds={sessionIdleSeconds()} renderedAt={Date.now()} />
        <SecondFactorGate />
        <RequestedRecord />
        <PublishingDock />
        {actor.isAdmin && <Tour />}
        {children}
      </ConsoleFrame>
    </MoreMessages>
  );
}
