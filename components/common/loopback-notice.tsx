import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { LinkButton } from "@/components/common/link-button";
import { Alert } from "@/components/ui/alert";
import { isLoopback } from "@/lib/kernel/navigation/loopback";
import { PAGES } from "@/lib/kernel/navigation/pages";

/** Says that no phone can open a link to the machine itself, and what to do. Renders nothing for other links. */
export function LoopbackNotice({ link }: { link: string }) {
  const t = useTranslations("install");
  if (!isLoopback(link)) return null;
  const code = (text: ReactNode) => <code className="font-mono text-[0.8125rem]">{text}</code>;
  return (
    <Alert
      tone="warning"
      title={t("loopback.title")}
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
