import { useTranslations } from "next-intl";
import { HoverLink } from "@/components/common/hover-link";
import { cn } from "@/components/ui/cn";
import type { OperationOutput } from "@/lib/client/operation-types";
import { releasePath } from "@/lib/kernel/navigation/pages";

export type SameBuildProps = {
  releaseId: string;
  builds: OperationOutput<"apps/get-testing-deploy-by-id">["sameBuild"];
};

/** Tabs of the installers of one build: iOS, Android .apk, Android .aab. Renders nothing if there is only one. */
export function SameBuild({ releaseId, builds }: SameBuildProps) {
  const t = useTranslations("releases");
  if (builds.length < 2) return null;
  return (
    <nav
      aria-label={t("sameBuild")}
      className="flex gap-1 overflow-x-auto border-border border-b [scrollbar-width:none] max-lg:-mx-4 max-lg:px-4"
    >
      {builds.map(({ id, kind, platformName }) => {
        const current = id === releaseId;
        return (
          <HoverLink
            key={id}
            href={releasePath(id)}
            aria-current={current ? "page" : undefined}
            className={cn(
              "relative inline-flex h-11 shrink-0 items-center gap-1.5 whitespace-nowrap rounded-t-md px-3 font-medium text-sm after:absolute after:inset-x-2 after:bottom-0 after:h-0.5 after:rounded-full focus-visible:outline-offset-[-2px] lg:h-9",
              current ? "text-foreground after:bg-primary" : "text-muted-foreground hover:text-foreground",
            )}
          >
            {platformName} {kind !== "ipa" && <span className="font-mono">.{kind}</span>}
          </HoverLink>
        );
      })}
    </nav>
  );
}
