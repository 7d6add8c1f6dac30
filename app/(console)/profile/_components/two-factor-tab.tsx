import { ProfileFrame } from "./profile-frame";

export async function TwoFactorTab() {
  return <ProfileFrame current="twoFactor" />;
}
