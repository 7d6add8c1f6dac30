"use client";

import {
  DRAWING_SIZE,
  drawingOf,
  drawingShapes,
  type InstallerKind,
  type Reason,
  reasonWords,
} from "@slipway/installers";
import { Info } from "lucide-react";
import Link from "next/link";
import { useNow, useTranslations } from "next-intl";
import { PAGES } from "@/lib/kernel/navigation/pages";

/** What to do, as one text or as steps. */
export function ReasonSteps({ steps }: { steps: readonly string[] }) {
  if (steps.length < 2) return steps[0] ?? null;
  return (
    <ol className="flex list-decimal flex-col gap-1 ps-5">
      {steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  );
}

/** A drawing of the system's screen on which a step is done; nothing for other reasons. */
export function ReasonDrawing({ reason }: { reason: Reason }) {
  const t = useTranslations("install.drawings");
  const name = drawingOf(reason);
  if (name === null) return null;
  const { width, height } = DRAWING_SIZE;
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={t(name)}
      className="mt-1.5 w-60 max-w-full text-foreground"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: fixed shapes of the package
      dangerouslySetInnerHTML={{ __html: drawingShapes(name) }}
    />
  );
}

/** A reason that does not keep somebody from installing: what it is, why, and what to do. */
export function ReasonNote({ reason, kind }: { reason: Reason; kind: InstallerKind }) {
  const t = useTranslations();
  const { title, detail, steps } = reasonWords(t, reason, kind, useNow());
  return (
    <li className="flex items-start gap-2 text-pretty text-muted-foreground leading-5">
      <Info aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="flex min-w-0 flex-col gap-0.5">
        <p className="font-medium text-foreground">{title}</p>
        <p>{detail}</p>
        {steps.length > 0 && (
          <div>
            <ReasonSteps steps={steps} />
          </div>
        )}
        {reason.code === "chain_not_trusted" && (
          <Link href={PAGES.trust} className="text-link underline underline-offset-4 hover:no-underline">
            {t("install.trustConsole")}
          </Link>
        )}
        <ReasonDrawing reason={reason} />
      </div>
    </li>
  );
}
