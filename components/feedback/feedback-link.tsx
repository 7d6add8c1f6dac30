import { MessageSquareText } from "lucide-react";
import { useTranslations } from "next-intl";
import { LinkButton } from "@/components/common/link-button";
import { feedbackPath } from "@/lib/kernel/navigation/pages";

export type FeedbackLinkProps = { appId: string; environmentId?: string };

/** Leads to what testers say about the releases of an application or an environment. */
export function FeedbackLink({ appId, environmentId }: FeedbackLinkProps) {
  const t = useTranslations("feedback");
  return (
    <LinkButton
      href={feedbackPath(appId, { environmentId })}
      variant="secondary"
      prefetch={false}
      aria-label={t("title")}
      title={t("title")}
      className="max-lg:size-10 max-lg:px-0"
    >
      <MessageSquareText aria-hidden />
      <span className="max-lg:hidden">{t("title")}</span>
    </LinkButton>
  );
}
