import { useTranslations } from "next-intl";
import { RelativeTime } from "@/components/common/relative-time";

export type ReleaseNewsProps = {
  /** The latest release, or null if there is none. */
  release: { version: string; buildNumber: string; deployDate: string } | null;
};

/** The latest release and its age, in one line. */
export function ReleaseNews({ release }: ReleaseNewsProps) {
  const t = useTranslations("home");
  if (!release) return t("noRelease");
  return (
    <>
      <span className="font-mono text-foreground">
        {release.version} ({release.buildNumber})
      </span>{" "}
      · <RelativeTime date={release.deployDate} />
    </>
  );
}
