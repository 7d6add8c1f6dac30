"use client";

import { CircleAlert, CircleCheck, Stethoscope, TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { DialogButton } from "@/components/common/dialog-button";
import { lazyDialog } from "@/components/common/lazy-dialog";
import { RelativeTime } from "@/components/common/relative-time";
import { Alert } from "@/components/ui/alert";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import type { InstallCheck } from "@/lib/features/installs/schema";
import { checkOutcome, firstProblem } from "./install-check-outcome";

const InstallCheckSheet = lazyDialog(() => import("./install-check-sheet").then((file) => file.InstallCheckSheet));

export type InstallCheckProps = {
  releaseId: string;
  /** The last check; null if the release was never checked. */
  check: InstallCheck | null;
};

type StateProps = InstallCheckProps & { onCheck: (check: InstallCheck) => void };

function OpenButton({ releaseId, check, onCheck }: StateProps) {
  const t = useTranslations("installCheck");
  return (
    <DialogButton
      variant="secondary"
      size="sm"
      dialog={(dialog) => <InstallCheckSheet releaseId={releaseId} check={check} onCheck={onCheck} {...dialog} />}
    >
      {t(check ? "open" : "run")}
    </DialogButton>
  );
}

/** What keeps phones from installing a release, in one line with what to do. Another check that is made here replaces it. */
export function InstallCheckAlert({ releaseId, check }: InstallCheckProps & { check: InstallCheck }) {
  const t = useTranslations("installCheck");
  const [latest, setLatest] = useState(check);
  const problem = firstProblem(latest);
  const outcome = checkOutcome(latest);
  return (
    <Alert
      tone={TONES[outcome]}
      title={t(`outcome.${outcome}`)}
      action={<OpenButton releaseId={releaseId} check={latest} onCheck={setLatest} />}
    >
      {problem && `${problem.title} – ${problem.advice}`}
    </Alert>
  );
}

const TONES = { ok: "success", warning: "warning", failure: "danger" } as const;

const ICONS = {
  ok: <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />,
  warning: <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warning" />,
  failure: <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />,
};

/** The result of the last check of a release, and a button that shows all of it or makes the first one. */
export function InstallCheckCard({ releaseId, check }: InstallCheckProps) {
  const t = useTranslations("installCheck");
  const [latest, setLatest] = useState(check);
  const outcome = latest && checkOutcome(latest);
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("title")}</CardTitle>
      </CardHeader>
      <CardContent className="flex flex-col items-start gap-3">
        <p className="flex items-start gap-2.5">
          {outcome ? (
            ICONS[outcome]
          ) : (
            <Stethoscope aria-hidden className="mt-0.5 size-4 shrink-0 text-muted-foreground" />
          )}
          <span>
            {outcome ? t(`outcome.${outcome}`) : t("never")}{" "}
            {latest && (
              <span className="text-muted-foreground">
                {t.rich("ranAt", { time: () => <RelativeTime date={latest.ranAt} /> })}
              </span>
            )}
          </span>
        </p>
        <OpenButton releaseId={releaseId} check={latest} onCheck={setLatest} />
      </CardContent>
    </Card>
  );
}
