import { Compass } from "lucide-react";
import { useTranslations } from "next-intl";
import { LinkButton } from "@/components/common/link-button";
import { MessagePage, type MessagePageProps } from "@/components/shell/message-page";

/** Says that there is nothing at an address, and leads home. */
export function NotFoundMessage({ inShell }: Pick<MessagePageProps, "inShell">) {
  const t = useTranslations("shell.notFound");
  return (
    <MessagePage icon={<Compass />} title={t("title")} description={t("description")} inShell={inShell}>
      <LinkButton href="/" prefetch={false}>
        {t("action")}
      </LinkButton>
    </MessagePage>
  );
}
