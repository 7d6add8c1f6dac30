import { getMessages, getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { TesterFrame } from "@/components/common/navigation/frame-on-demand";
import { roleLabel } from "@/components/common/permissions/role-label";
import { SecondFactorGate } from "@/components/common/second-factor/second-factor-gate";
import { SessionGuard } from "@/components/common/session/session-guard";
import { MoreMessages } from "@/components/common/shell/more-messages";
import { call, type requireUser, sessionIdleSeconds } from "@/lib/api/call";
import { getUserProfile } from "@/lib/features/auth/operations/get-user-profile";
import { getAppConfig } from "@/lib/features/config/operations/get-app-config";
import { getLicense } from "@/lib/features/license/operations/get-license";
import { getNavigation } from "@/lib/features/navigation/operations/get-navigation";
import { shellMessages } from "@/lib/kernel/i18n/client-messages";
import { isTester } from "@/lib/permissions/tester";
import { ConsoleLayout } from "./console-layout";
import { RequestedRecord } from "./requested-record";

export type SignedInLayoutProps = { actor: Awaited<ReturnType<typeof requireUser>>; children: ReactNode };

/** The layout of every page after the sign-in: the shell with brand, user and applications. */
export async function SignedInLayout({ actor, children }: SignedInLayoutProps) {
  const [messages, roles, { name, logoUrl }, profile, navigation, license] = await Promise.all([
    getMessages(),
    getTranslations("roles"),
    call(getAppConfig, {}),
    call(getUserProfile, {}),
    isTester(actor) ? null : call(getNavigation, {}),
    actor.isAdmin ? call(getLicense, {}) : null,
  ]);
  const { user } = profile;
  const shell = {
    session: {
      firstNames: user.firstNames,
      lastNames: user.lastNames,
      email: user.email,
      roleName: roleLabel(user.role.name, roles),
      avatarUrl: user.avatarUrl,
      isAdmin: actor.isAdmin,
    },
    brand: { name, logoUrl },
  };
  const content = (
    <>
      <SessionGuard profile={profile} exp={actor.exp} idleSeconds={sessionIdleSeconds()} renderedAt={Date.now()} />
      <SecondFactorGate />
      <RequestedRecord />
      {children}
    </>
  );
  return (
    <MoreMessages messages={shellMessages(messages, actor.isAdmin)}>
      {navigation ? (
        <ConsoleLayout {...shell} navigation={navigation} license={license}>
          {content}
        </ConsoleLayout>
      ) : (
        <TesterFrame {...shell}>{content}</TesterFrame>
      )}
    </MoreMessages>
  );
}
