import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { LinkButton } from "@/components/common/link-button";
import { Alert } from "@/components/ui/alert";
import { isLoopback } from "@/lib/kernel/navigation/loopback";
import { PAGES } from "@/lib/kernel/navigation/pages";

export type LoopbackNoticeProps = {
  link: string;
  /** Who would use the link: phones, or other computers such as those of CI. */
  reader?: "phone" | "computer";
};

/** Says that no other device can open a link to the machine itself, and what to do. Renders nothing for other links. */
export function LoopbackNotice({ link, reader = "phone" }: LoopbackNoticeProps) {
  const t = useTranslations("install");
  if (!isLoopback(link)) return null;
  const code = (text: ReactNode) => <code className="whitespace-nowrap font-mono text-[0.8125rem]">{text}</code>;
  return (
    <Alert
      tone="warning"
      title={t(reader === "phone" ? "loopback.title" : "loopback.computerTitle")}
      action={
        <LinkButton href={PAGES.httpsGuide} variant="secondary" prefetch={false}>
          {t("httpsGuide")}
        </LinkButton>
      }
    >
      {t.rich("loopback.description", { host: new URL(link).host, code })}
    </Alert>
  );
}
