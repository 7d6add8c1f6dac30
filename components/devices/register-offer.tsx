import { useTranslations } from "next-intl";
import { Alert } from "@/components/ui/alert";
import { RegisterDeviceButton } from "./register-button";

/** Offers somebody on an iPhone or iPad who has registered none to do so, because the profiles of some releases list devices. */
export function RegisterOffer() {
  const t = useTranslations("devices.offer");
  return (
    <Alert title={t("title")} action={<RegisterDeviceButton size="sm" />}>
      {t("description")}
    </Alert>
  );
}
