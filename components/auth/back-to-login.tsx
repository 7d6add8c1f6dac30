import { useTranslations } from "next-intl";
import { HoverLink } from "@/components/common/hover-link";

/** The way back from what one does when one cannot sign in. */
export function BackToLogin() {
  const t = useTranslations("auth");
  return (
    <HoverLink href="/" className="text-link hover:underline">
      {t("backToLogin")}
    </HoverLink>
  );
}
