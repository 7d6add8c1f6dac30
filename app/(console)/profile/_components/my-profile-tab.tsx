import { ApiTokensCard, PasswordCard } from "@/components/profile/account-cards";
import { EditProfileButton } from "@/components/profile/edit-profile-button";
import { ProfileCard } from "@/components/profile/profile-card";
import { SessionsCard } from "@/components/profile/sessions-card";
import { call, requireUser } from "@/lib/api/call";
import { getUserProfile } from "@/lib/features/auth/operations/get-user-profile";
import { getUserSessions } from "@/lib/features/users/operations/get-user-sessions";
import { ProfileFrame } from "./profile-frame";

export async function MyProfileTab() {
  const [{ isAdmin }, { user }, sessions] = await Promise.all([
    requireUser(),
    call(getUserProfile, {}),
    call(getUserSessions, {}),
  ]);
  return (
    <ProfileFrame current="profile" action={<EditProfileButton user={user} />}>
      <ProfileCard user={user} />
      {user.provider === "email" && <PasswordCard email={user.email} />}
      <SessionsCard sessions={sessions.items} />
      <ApiTokensCard isAdmin={isAdmin} />
    </ProfileFrame>
  );
}
