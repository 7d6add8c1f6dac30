import { useTranslations } from "next-intl";
import { HoverLink } from "@/components/common/hover-link";
import { cn } from "@/components/ui/cn";
import type { Release } from "@/lib/features/releases/schema";
import { releaseFilePath } from "@/lib/kernel/navigation/pages";

export type SameBuildProps = {
  releaseId: string;
  /** The files of the build. */
  files: readonly Release[];
};

/** Tabs of the installers of one build: iOS, Android .apk, Android .aab. Renders nothing if there is only one. */
export function SameBuild({ releaseId, files }: SameBuildProps) {
  const t = useTranslations("releases");
  if (files.length < 2) return null;
  return (
    <nav
      aria-label={t("sameBuild")}
      className="flex gap-1 overflow-x-auto border-border border-b [scrollbar-width:none] max-lg:-mx-4 max-lg:px-4"
    >
      {files.map(({ id, platform, installer: { kind } }) => {
        const current = id === releaseId;
        return (
          <HoverLink
            key={id}
            href={releaseFilePath(id)}
            aria-current={current ? "page" : undefined}
            className={cn(
              "relative inline-flex h-11 shrink-0 items-center gap-1.5 whitespace-nowrap rounded-t-md px-3 font-medium text-sm after:absolute after:inset-x-2 after:bottom-0 after:h-0.5 after:rounded-full focus-visible:outline-offset-[-2px] lg:h-9",
              current ? "text-foreground after:bg-primary" : "text-muted-foreground hover:text-foreground",
            )}
          >
            {platform.name} {kind !== "ipa" && <span className="font-mono">.{kind}</span>}
          </HoverLink>
        );
      })}
    </nav>
  );
}
