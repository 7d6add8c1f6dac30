import { ApiTokensCard, PasswordCard } from "@/components/profile/account-cards";
import { EditProfileButton } from "@/components/profile/edit-profile-button";
import { NotificationsCard } from "@/components/profile/notifications-card-on-demand";
import { ProfileCard } from "@/components/profile/profile-card";
import { SessionsCard } from "@/components/profile/sessions-card";
import { call, requireUser } from "@/lib/api/call";
import { getUserProfile } from "@/lib/features/auth/operations/get-user-profile";
import { getNotificationSettings } from "@/lib/features/testers/operations/get-notification-settings";
import { getUserSessions } from "@/lib/features/users/operations/get-user-sessions";
import { ProfileFrame } from "./profile-frame";

export async function MyProfileTab() {
  const [{ isAdmin }, { user }, sessions, notifications] = await Promise.all([
    requireUser(),
    call(getUserProfile, {}),
    call(getUserSessions, {}),
    call(getNotificationSettings, {}),
  ]);
  return (
    <ProfileFrame current="profile" action={<EditProfileButton user={user} />}>
      <ProfileCard user={user} />
      {user.provider === "email" && <PasswordCard email={user.email} />}
      <NotificationsCard settings={notifications} />
      <SessionsCard sessions={sessions.items} />
      <ApiTokensCard isAdmin={isAdmin} />
    </ProfileFrame>
  );
}
