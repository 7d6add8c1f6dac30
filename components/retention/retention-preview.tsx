"use client";

import { useTranslations } from "next-intl";
import { Bytes } from "@/components/common/bytes";
import { releaseName } from "@/components/common/releases/release-name";
import { Skeleton } from "@/components/ui/skeleton";
import type { RetentionPreview } from "@/lib/features/retention/schema";

/** How many of the largest releases are named. */
const NAMED = 3;

/** What a rule would move to the bin now. */
export function RetentionPreviewPanel({ preview }: { preview: RetentionPreview | "failed" | null }) {
  const t = useTranslations("retention.preview");
  return (
    <section
      aria-label={t("label")}
      aria-live="polite"
      className="rounded-lg border border-border bg-muted/40 px-3 py-2.5"
    >
      {preview === null && <Skeleton className="h-5 w-2/3" />}
      {preview === "failed" && <p className="text-muted-foreground leading-5">{t("failed")}</p>}
      {preview !== null && preview !== "failed" && preview.releases === 0 && <p className="leading-5">{t("none")}</p>}
      {preview !== null && preview !== "failed" && preview.releases > 0 && (
        <div className="flex flex-col gap-1.5">
          <p className="text-pretty font-medium leading-5">
            {t.rich("some", {
              releases: preview.releases,
              total: preview.total,
              bytes: () => <Bytes value={preview.bytes} />,
            })}
          </p>
          <p className="text-muted-foreground text-xs leading-4.5">{t("largest")}</p>
          <ul className="flex flex-col gap-1">
            {preview.items.slice(0, NAMED).map((release) => (
              <li key={release.id} className="flex justify-between gap-3 text-xs leading-4.5">
                <span className="min-w-0 truncate">
                  {release.displayName} <span className="font-mono">{releaseName(release)}</span>
                </span>
                <Bytes value={release.size} className="shrink-0 tabular-nums" />
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}
