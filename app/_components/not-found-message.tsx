import { Compass } from "lucide-react";
import { useTranslations } from "next-intl";
import { LinkButton } from "@/components/common/link-button";
import { MessagePage, type MessagePageProps } from "@/components/common/shell/message-page";
import { PAGES } from "@/lib/kernel/navigation/pages";

/** The not-found message, with a link to the start page. */
export function NotFoundMessage({ inShell }: Pick<MessagePageProps, "inShell">) {
  const t = useTranslations("shell.notFound");
  return (
    <MessagePage icon={<Compass />} title={t("title")} description={t("description")} inShell={inShell}>
      <LinkButton href={PAGES.signIn} prefetch={false}>
        {t("action")}
      </LinkButton>
    </MessagePage>
  );
}
