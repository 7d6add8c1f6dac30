import { ProfileFrame } from "./profile-frame";

export async function PasskeysTab() {
  return <ProfileFrame current="passkeys" />;
}
