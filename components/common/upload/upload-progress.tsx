"use client";

import { CloudOff, Pause, Play, RotateCw } from "lucide-react";
import { useFormatter, useLocale, useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Progress } from "@/components/ui/progress";
import { roundedDuration } from "@/lib/client/upload/duration";
import type { UploadPhase, UploadSnapshot } from "@/lib/client/upload/uploader";
import { formatBytes } from "@/lib/kernel/format-bytes";
import { browserClock } from "./browser-environment";

export type UploadProgressProps = {
  snapshot: UploadSnapshot;
  fileName: string;
  /** Everything was sent, and the server is processing it. */
  working?: string;
  onPause: () => void;
  onResume: () => void;
};

const PAUSABLE: readonly UploadPhase[] = ["preparing", "uploading", "offline", "waiting"];

/** The progress of an upload, its speed and remaining time, and what delays it. */
export function UploadProgress({ snapshot, fileName, working, onPause, onResume }: UploadProgressProps) {
  const t = useTranslations("upload");
  const locale = useLocale();
  const format = useFormatter();
  const { phase, sentBytes, totalBytes, resumedBytes, bytesPerSecond, retryAt } = snapshot;
  const bytes = (value: number) => formatBytes(value, locale);
  const percent = totalBytes === 0 ? 0 : Math.floor((sentBytes / totalBytes) * 100);
  const known = phase !== "preparing" && phase !== "finishing" && !working;
  const waiting = phase === "offline" || phase === "waiting";

  return (
    <section aria-label={t("label", { name: fileName })} className="flex flex-col gap-2.5">
      <div className="flex items-center justify-between gap-3">
        <p role="status" className="flex min-w-0 items-center gap-2 font-medium leading-5">
          {waiting && <CloudOff aria-hidden className="size-4 shrink-0 text-warning" />}
          {working ?? t(`phase.${phase}`)}
        </p>
        {/* Not part of the live region, because it changes constantly. */}
        {known && (
          <span className="shrink-0 font-medium tabular-nums">
            {format.number(percent / 100, { style: "percent" })}
          </span>
        )}
      </div>
      <Progress value={known ? percent : null} label={t("label", { name: fileName })} />
      <div className="flex min-h-9 items-center justify-between gap-3 lg:min-h-7">
        <p className="min-w-0 text-pretty text-muted-foreground text-xs leading-4.5 tabular-nums">
          {phase === "waiting" && retryAt !== null
            ? t("retryIn", { seconds: Math.max(1, Math.ceil((retryAt - browserClock.now()) / 1_000)) })
            : [
                t("sent", { sent: bytes(sentBytes), total: bytes(totalBytes) }),
                bytesPerSecond !== null && t("speed", { speed: bytes(bytesPerSecond) }),
                snapshot.secondsLeft !== null && t("left", remainingText(snapshot.secondsLeft)),
              ]
                .filter(Boolean)
                .join(" · ")}
          {resumedBytes > 0 && known && <span className="block">{t("resumed", { bytes: bytes(resumedBytes) })}</span>}
        </p>
        {!working && (
          <div className="flex shrink-0 gap-1">
            {phase === "waiting" && (
              <Button variant="ghost" size="sm" onClick={onResume}>
                <RotateCw aria-hidden />
                {t("tryNow")}
              </Button>
            )}
            {phase === "paused" ? (
              <Button variant="secondary" size="sm" onClick={onResume}>
                <Play aria-hidden />
                {t("resume")}
              </Button>
            ) : (
              PAUSABLE.includes(phase) && (
                <Button variant="secondary" size="sm" onClick={onPause}>
                  <Pause aria-hidden />
                  {t("pause")}
                </Button>
              )
            )}
          </div>
        )}
      </div>
    </section>
  );
}

function remainingText(seconds: number) {
  return { hours: 0, minutes: 0, seconds: 0, ...roundedDuration(seconds) };
}
