"use client";

import { CircleAlert, CircleCheck, Download, Info, RefreshCw } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect } from "react";
import { Bytes } from "@/components/common/bytes";
import { DocsLink } from "@/components/common/docs-link";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import { Spinner } from "@/components/ui/spinner";
import { query } from "@/lib/client/client";
import { poll } from "@/lib/client/poll";
import { useOperation } from "@/lib/client/use-operation";
import type { Release } from "@/lib/features/releases/schema";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { Hash } from "../installer-facts";
import type { ReleaseRights } from "../release-summary";
import { startDownload } from "./download";

/** How often the state is asked for while the APK is being made. */
const POLL_MS = 5_000;

export type UniversalCardProps = {
  release: Pick<Release, "id" | "universal">;
  rights: Pick<ReleaseRights, "download" | "update">;
};

/** How far the APK for all devices of an app bundle is, why there is none, and whose key signed it. */
export function UniversalCard({ release: { id, universal }, rights }: UniversalCardProps) {
  const t = useTranslations("universalApk");
  const router = useRouter();
  const retry = useOperation("apps/retry-universal-apk");
  const isPending = universal?.state === "pending";
  useEffect(() => {
    if (!isPending) return;
    return poll(async (signal) => {
      const release = await query("apps/get-testing-deploy-by-id", { id }, { signal });
      if (!signal.aborted && release.universal?.state !== "pending") router.refresh();
    }, POLL_MS);
  }, [isPending, id, router]);
  const make = async () => {
    const result = await retry.run({ id });
    if (result.ok) router.refresh();
  };
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("title")}</CardTitle>
      </CardHeader>
      <CardContent className="flex flex-col items-start gap-3">
        <div className="flex min-w-0 items-start gap-2.5" role="status">
          <StateIcon state={universal?.state ?? null} />
          <div className="flex min-w-0 flex-col gap-1">
            <p>
              {universal ? t(`state.${universal.state}`) : t("none")}{" "}
              {universal?.size != null && <Bytes value={universal.size} className="text-muted-foreground" />}
            </p>
            {universal?.error && <p className="text-pretty leading-5">{t(`errors.${universal.error}`)}</p>}
            {universal?.detail && (
              <p className="break-words font-mono text-muted-foreground text-xs">{universal.detail}</p>
            )}
            {universal?.key && (
              <p className="text-pretty text-muted-foreground leading-5">{t(`key.${universal.key}`)}</p>
            )}
          </div>
        </div>
        {universal?.signingSha256 && (
          <div className="flex min-w-0 flex-col gap-0.5">
            <p className="text-muted-foreground text-xs">{t("signature")}</p>
            <Hash label={t("signature")} value={universal.signingSha256} />
          </div>
        )}
        <div className="flex flex-wrap items-center gap-3">
          {universal?.state === "ready" && rights.download && (
            <Button variant="secondary" size="sm" onClick={() => startDownload(id, "universal")}>
              <Download aria-hidden />
              {t("download")}
            </Button>
          )}
          {universal?.state !== "ready" && !isPending && rights.update && (
            <Button variant="secondary" size="sm" onClick={() => void make()} loading={retry.pending}>
              <RefreshCw aria-hidden />
              {t(universal ? "again" : "make")}
            </Button>
          )}
          <DocsLink href={`${PAGES.docs}/app-bundles`} />
        </div>
      </CardContent>
    </Card>
  );
}

function StateIcon({ state }: { state: NonNullable<Release["universal"]>["state"] | null }) {
  if (state === "pending") return <Spinner className="mt-0.5 size-4 shrink-0" />;
  if (state === "ready") return <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />;
  if (state === "failed") return <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />;
  return <Info aria-hidden className="mt-0.5 size-4 shrink-0 text-muted-foreground" />;
}
