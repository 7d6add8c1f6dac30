import { useTranslations } from "next-intl";
import { CopyButton } from "@/components/common/copy-button";
import type { App } from "@/lib/features/apps/schema";

/** The lines below an application's name: its identifier, which can be copied, and its description. */
export function AppSummary({ app: { identifier, description } }: { app: Pick<App, "identifier" | "description"> }) {
  const t = useTranslations("apps");
  return (
    <>
      <span className="-my-1 flex items-start gap-1">
        <code className="break-all py-1.5 font-mono lg:py-1">{identifier}</code>
        <CopyButton value={identifier} label={t("identifier")} iconOnly className="shrink-0" />
      </span>
      {description && <span className="whitespace-pre-line">{description}</span>}
    </>
  );
}
