import { EditProfileButton } from "@/components/profile/edit-profile-button";
import { ProfileCard } from "@/components/profile/profile-card";
import { SessionsCard } from "@/components/profile/sessions-card";
import { call } from "@/lib/api/call";
import { getUserProfile } from "@/lib/features/auth/operations/get-user-profile";
import { getUserSessions } from "@/lib/features/users/operations/get-user-sessions";
import { ProfileFrame } from "./profile-frame";

export async function MyProfileTab() {
  const [{ user }, sessions] = await Promise.all([call(getUserProfile, {}), call(getUserSessions, {})]);
  return (
    <ProfileFrame current="profile" action={<EditProfileButton user={user} />}>
      <ProfileCard user={user} />
      <SessionsCard sessions={sessions.items} />
    </ProfileFrame>
  );
}
