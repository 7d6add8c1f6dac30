import { useTranslations } from "next-intl";
import { HoverLink } from "@/components/common/hover-link";

/** The link back to the sign-in page. */
export function BackToLogin() {
  const t = useTranslations("auth");
  return (
    <HoverLink href="/" className="text-link hover:underline">
      {t("backToLogin")}
    </HoverLink>
  );
}
