import { useTranslations } from "next-intl";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";

export type StatusBadgeProps = {
  status: "active" | "inactive";
  /** Grammatical gender of the noun, for languages that need it (a platform is feminine in Spanish). */
  gender?: "masculine" | "feminine";
  /** Shows it without its color, beside something that matters more, such as "Expired". */
  muted?: boolean;
};

/** Shows whether something is active. */
export function StatusBadge({ status, gender = "masculine", muted = status === "inactive" }: StatusBadgeProps) {
  const t = useTranslations("common.status");
  return (
    <Badge tone={muted ? "neutral" : "success"} className={cn(muted && "text-muted-foreground")}>
      <span
        aria-hidden
        className={cn("size-1.5 rounded-full", status === "active" ? "bg-current" : "border border-current")}
      />
      {t(status, { gender })}
    </Badge>
  );
}
