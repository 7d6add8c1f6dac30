import { useTranslations } from "next-intl";
import { LinkButton } from "@/components/common/link-button";
import { AuthPanel } from "@/components/common/shell/auth-panel";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { BackToLogin } from "./back-to-login";

/** Says that a password link no longer works, and links to the form that requests another one. */
export function ExpiredLink({ replaces = false }: { replaces?: boolean }) {
  const t = useTranslations("resetPassword.expired");
  return (
    <AuthPanel replaces={replaces} title={t("title")} description={t("description")} footer={<BackToLogin />}>
      <LinkButton href={PAGES.passwordRecovery} size="lg">
        {t("action")}
      </LinkButton>
    </AuthPanel>
  );
}
