import { TwoFactorPanel } from "@/components/two-factor/two-factor-panel";
import { call } from "@/lib/api/call";
import { getTwoFactor } from "@/lib/features/two-factor/operations/get-two-factor";
import { safePath } from "@/lib/kernel/navigation/safe-path";
import type { SearchParams } from "@/lib/kernel/navigation/search-params";
import { NEXT_PARAMETER } from "@/lib/kernel/navigation/sign-in-paths";
import { ProfileFrame } from "./profile-frame";

export async function TwoFactorTab({ query }: { query: SearchParams }) {
  const twoFactor = await call(getTwoFactor, {});
  return (
    <ProfileFrame current="twoFactor">
      <TwoFactorPanel twoFactor={twoFactor} next={safePath(query[NEXT_PARAMETER])} />
    </ProfileFrame>
  );
}
