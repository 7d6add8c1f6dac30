import { useTranslations } from "next-intl";
import { Facts } from "@/components/common/facts";
import { BrandMark } from "@/components/common/shell/brand-mark";
import { Card, CardContent } from "@/components/ui/card";
import type { AppConfig } from "@/lib/features/config/schema";

/** The console's name, description and logo. */
export function AppInfoCard({ config }: { config: AppConfig }) {
  const t = useTranslations("appConfig.info");
  const shell = useTranslations("shell.auth");
  const placeholder = (text: string) => <span className="text-muted-foreground">{text}</span>;
  return (
    <Card className="max-w-2xl">
      <CardContent>
        <Facts
          items={[
            {
              label: t("logo"),
              value: (
                <span className="flex items-center gap-3">
                  <BrandMark logoUrl={config.logoUrl} className="size-12" />
                  {!config.logoUrl && placeholder(t("productLogo"))}
                </span>
              ),
            },
            { label: t("name"), value: config.name },
            {
              label: t("description"),
              value: config.description || (
                <span className="flex flex-col">
                  {shell("tagline")}
                  {placeholder(t("noDescription"))}
                </span>
              ),
            },
          ]}
        />
      </CardContent>
    </Card>
  );
}
