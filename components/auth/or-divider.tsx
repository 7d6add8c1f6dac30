import { useTranslations } from "next-intl";
import { Separator } from "@/components/ui/separator";

/** Separates a sign-in method from the others. */
export function OrDivider() {
  const t = useTranslations("auth");
  return (
    <div className="flex items-center gap-3 text-muted-foreground text-xs">
      <Separator className="flex-1" />
      {t("or")}
      <Separator className="flex-1" />
    </div>
  );
}
