import { KeyRound } from "lucide-react";
import { useTranslations } from "next-intl";
import { Avatar } from "@/components/ui/avatar";
import type { Release } from "@/lib/features/releases/schema";

/** Who published a release, as a small image with the name as its text. */
export function Author({ createdBy }: Pick<Release, "createdBy">) {
  const t = useTranslations("releases.details");
  const name =
    createdBy === null
      ? t("unknown")
      : createdBy.kind === "token"
        ? `${t("token")}: ${createdBy.name}`
        : createdBy.name;
  return (
    <span title={name} className="inline-flex">
      {createdBy?.kind === "token" ? (
        <span className="flex size-6 items-center justify-center rounded-full border border-border bg-muted text-muted-foreground">
          <KeyRound aria-hidden className="size-3" />
        </span>
      ) : (
        <Avatar name={createdBy?.name ?? "?"} src={createdBy?.avatarUrl} className="size-6 text-[0.6875rem]" />
      )}
      <span className="sr-only">{name}</span>
    </span>
  );
}
