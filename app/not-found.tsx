import { Compass } from "lucide-react";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { LinkButton } from "@/components/common/link-button";
import { MessagePage } from "@/components/shell/message-page";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("shell.notFound");
  return { title: t("title") };
}

export default async function NotFound() {
  const t = await getTranslations("shell.notFound");
  return (
    <MessagePage icon={<Compass />} title={t("title")} description={t("description")}>
      <LinkButton href="/" prefetch={false}>
        {t("action")}
      </LinkButton>
    </MessagePage>
  );
}
