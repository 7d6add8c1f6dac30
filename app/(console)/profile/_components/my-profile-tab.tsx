import { EditProfileButton } from "@/components/profile/edit-profile-button";
import { ProfileCard } from "@/components/profile/profile-card";
import { call } from "@/lib/api/call";
import { getUserProfile } from "@/lib/features/auth/operations/get-user-profile";
import { ProfileFrame } from "./profile-frame";

export async function MyProfileTab() {
  const { user } = await call(getUserProfile, {});
  return (
    <ProfileFrame current="profile" action={<EditProfileButton user={user} />}>
      <ProfileCard user={user} />
    </ProfileFrame>
  );
}
