import { Users } from "lucide-react";
import { useTranslations } from "next-intl";
import { LinkButton } from "@/components/common/link-button";
import { testersPath } from "@/lib/kernel/navigation/pages";

/** Leads to the groups of testers of an application. */
export function TestersLink({ appId }: { appId: string }) {
  const t = useTranslations("testers");
  return (
    <LinkButton
      href={testersPath(appId)}
      variant="secondary"
      prefetch={false}
      aria-label={t("title")}
      title={t("title")}
      className="max-lg:size-10 max-lg:px-0"
    >
      <Users aria-hidden />
      <span className="max-lg:hidden">{t("title")}</span>
    </LinkButton>
  );
}
