"use client";

import { CircleAlert, CircleCheck, CircleMinus, RefreshCw, TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { DocsLink } from "@/components/common/docs-link";
import { RelativeTime } from "@/components/common/relative-time";
import type { DialogProps } from "@/components/common/use-dialog";
import { Button } from "@/components/ui/button";
import { Sheet, SheetContent, SheetDescription, SheetTitle } from "@/components/ui/sheet";
import { Skeleton } from "@/components/ui/skeleton";
import { useOperation } from "@/lib/client/use-operation";
import type { InstallCheck } from "@/lib/features/installs/schema";
import { PAGES } from "@/lib/kernel/navigation/pages";
import type { InstallCheckProps } from "./install-check";
import { checkOutcome } from "./install-check-outcome";

const ICONS = {
  ok: { icon: CircleCheck, tone: "text-success" },
  warning: { icon: TriangleAlert, tone: "text-warning" },
  failure: { icon: CircleAlert, tone: "text-danger" },
  skipped: { icon: CircleMinus, tone: "text-muted-foreground" },
} as const;

type SheetProps = DialogProps & InstallCheckProps & { onCheck: (check: InstallCheck) => void };

/** All checks of the way on which phones install a release. Opened for a release that was never checked, it checks it. */
export function InstallCheckSheet({ releaseId, check, onCheck, open, onOpenChange }: SheetProps) {
  const t = useTranslations("installCheck");
  const { run, pending } = useOperation("installs/run-install-check");
  const [shown, setShown] = useState(check);
  const begun = useRef(check !== null);
  const checkNow = async () => {
    const result = await run({ id: releaseId });
    if (!result.ok) return;
    setShown(result.data);
    onCheck(result.data);
  };
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    void checkNow();
  });
  return (
    <Sheet open={open} onOpenChange={onOpenChange}>
      <SheetContent className="w-[min(30rem,100vw)]">
        <header className="flex flex-col gap-1 border-border border-b px-5 py-4 pr-12">
          <SheetTitle className="font-semibold text-base">{t("title")}</SheetTitle>
          <SheetDescription className="text-muted-foreground">{t("description")}</SheetDescription>
        </header>
        <div className="flex-1 overflow-y-auto px-5 py-4" aria-busy={pending}>
          {shown ? (
            <>
              <p className="pb-3 font-medium" role="status">
                {t(`outcome.${checkOutcome(shown)}`)}{" "}
                <span className="font-normal text-muted-foreground">
                  {t.rich("ranAt", { time: () => <RelativeTime date={shown.ranAt} /> })}
                </span>
              </p>
              <ul className="flex flex-col gap-3">
                {shown.checks.map((finding) => (
                  <Finding key={finding.code} finding={finding} />
                ))}
              </ul>
            </>
          ) : (
            pending && <Skeleton className="h-64 w-full" />
          )}
        </div>
        <footer className="flex flex-wrap items-center justify-between gap-3 border-border border-t px-5 py-3">
          <DocsLink href={`${PAGES.docs}/doctor`} />
          <Button onClick={() => void checkNow()} loading={pending}>
            <RefreshCw aria-hidden />
            {t("run")}
          </Button>
        </footer>
      </SheetContent>
    </Sheet>
  );
}

function Finding({ finding: { result, title, seen, advice } }: { finding: InstallCheck["checks"][number] }) {
  const t = useTranslations("installCheck.results");
  const { icon: Icon, tone } = ICONS[result];
  return (
    <li className="flex items-start gap-2.5">
      <Icon role="img" aria-label={t(result)} className={`mt-0.5 size-4 shrink-0 ${tone}`} />
      <div className="flex min-w-0 flex-col gap-0.5">
        <p className={result === "skipped" ? "text-muted-foreground" : "font-medium"}>{title}</p>
        {seen !== "" && <p className="break-words font-mono text-muted-foreground text-xs">{seen}</p>}
        {advice && (
          <p className={result === "skipped" ? "text-muted-foreground text-xs" : "text-pretty leading-5"}>{advice}</p>
        )}
      </div>
    </li>
  );
}
