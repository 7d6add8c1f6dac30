import { useTranslations } from "next-intl";
import { AddPasskeyButton } from "@/components/passkeys/add-passkey-button";
import { PasskeySupportNotice } from "@/components/passkeys/passkey-support-notice";
import { PasskeysFailed } from "@/components/passkeys/passkeys-failed";
import { PasskeysTable } from "@/components/passkeys/passkeys-table";
import { Alert } from "@/components/ui/alert";
import { call } from "@/lib/api/call";
import { getUserPasskeys } from "@/lib/features/passkeys/operations/get-user-passkeys";
import { MAX_PASSKEYS, type Passkey } from "@/lib/features/passkeys/schema";
import { ApiError } from "@/lib/kernel/errors";
import { ProfileFrame } from "./profile-frame";

export async function PasskeysTab() {
  let items: Passkey[];
  try {
    ({ items } = await call(getUserPasskeys, {}));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return (
      <ProfileFrame current="passkeys">
        <PasskeysFailed />
      </ProfileFrame>
    );
  }
  const full = items.length >= MAX_PASSKEYS;
  // The button has the same position with and without passkeys, so that the focus that returns to it is not lost.
  return (
    <ProfileFrame current="passkeys" action={full ? undefined : <AddPasskeyButton />}>
      <PasskeySupportNotice />
      {full && <FullNotice />}
      <PasskeysTable items={items} />
    </ProfileFrame>
  );
}

function FullNotice() {
  const t = useTranslations("validation");
  return <Alert>{t("tooManyPasskeys", { limit: MAX_PASSKEYS })}</Alert>;
}
