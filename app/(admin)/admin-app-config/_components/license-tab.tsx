import { LicenseView } from "@/components/license/license-view";
import { UpdateLicenseButton } from "@/components/license/update-license-button";
import { call } from "@/lib/api/call";
import { getLicense } from "@/lib/features/license/operations/get-license";
import { AppConfigFrame } from "./app-config-frame";

export async function LicenseTab() {
  const license = await call(getLicense, {});
  // Without a license, the empty state contains the button.
  const empty = license.status === "none";
  return (
    <AppConfigFrame current="license" action={empty ? undefined : <UpdateLicenseButton />}>
      <LicenseView license={license} />
    </AppConfigFrame>
  );
}
