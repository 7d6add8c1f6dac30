import { useTranslations } from "next-intl";
import { HoverLink } from "@/components/common/hover-link";
import { PAGES } from "@/lib/kernel/navigation/pages";

/** The link back to the sign-in page. */
export function BackToLogin() {
  const t = useTranslations("auth");
  return (
    <HoverLink href={PAGES.signIn} className="text-link hover:underline">
      {t("backToLogin")}
    </HoverLink>
  );
}
