import { Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { LinkButton } from "@/components/common/link-button";
import { contextPath, PAGES } from "@/lib/kernel/navigation/pages";

/** Opens the bin of an application. */
export function BinLink({ appId }: { appId: string }) {
  const t = useTranslations("bin");
  return (
    <LinkButton
      href={contextPath(PAGES.bin, appId)}
      variant="secondary"
      aria-label={t("title")}
      title={t("title")}
      className="max-lg:size-10 max-lg:px-0"
    >
      <Trash2 aria-hidden />
      <span className="max-lg:hidden">{t("title")}</span>
    </LinkButton>
  );
}
