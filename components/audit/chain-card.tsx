"use client";

import { Download, FileDown, ShieldAlert, ShieldCheck, ShieldQuestion } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { ExportButton } from "@/components/common/data-table/export-button";
import { RelativeTime } from "@/components/common/relative-time";
import { saveFile } from "@/components/common/save-file";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Progress } from "@/components/ui/progress";
import { query } from "@/lib/client/client";
import { useNotifiedCall } from "@/lib/client/use-operation";
import type { AuditChain } from "@/lib/features/audit/schema";
import { FaultList } from "./fault-list";
import { useChain } from "./use-chain";

/** The state of the log's hash chain: up to which record it is verified, and what was found. */
export function ChainCard({ chain: initial }: { chain: AuditChain }) {
  const t = useTranslations("auditLog.chain");
  const { chain, verify, pending } = useChain(initial);
  const { running, firstWrongRecord } = chain;
  return (
    <section aria-label={t("title")} className="flex flex-col gap-3 rounded-lg border border-border bg-card p-4">
      {firstWrongRecord !== null && (
        <Alert tone="danger" title={t("broken", { id: Number(firstWrongRecord) })}>
          <FaultList faults={chain.faults} more={chain.moreFaults} />
          <p className="mt-1">{t("brokenHint")}</p>
        </Alert>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <State chain={chain} />
        <div className="flex flex-wrap items-center gap-2">
          <Button variant="secondary" loading={pending} disabled={running !== null} onClick={verify}>
            {t("verify")}
          </Button>
          <CheckpointButton />
          <ExportButton
            path="config/download-audit-log"
            input={{}}
            total={chain.records}
            icon={<FileDown aria-hidden className="text-muted-foreground" />}
          >
            {t("download")}
          </ExportButton>
        </div>
      </div>
      {running && (
        <div className="flex flex-col gap-1.5">
          <Progress
            label={t("verifying")}
            value={running.total === 0 ? null : Math.min(100, Math.floor((running.records / running.total) * 100))}
          />
          <p className="text-muted-foreground text-xs tabular-nums">
            {t("progress", { count: running.records, total: running.total })}
          </p>
        </div>
      )}
      <p role="status" className="sr-only">
        {running ? t("verifying") : ""}
      </p>
    </section>
  );
}

function State({ chain: { firstWrongRecord, verified, complete, records } }: { chain: AuditChain }) {
  const t = useTranslations("auditLog.chain");
  const isBroken = firstWrongRecord !== null;
  const Icon = isBroken ? ShieldAlert : verified ? ShieldCheck : ShieldQuestion;
  const color = isBroken ? "text-danger" : verified ? "text-success" : "text-muted-foreground";
  const time = (at: string) => () => <RelativeTime date={at} />;
  const lines: ReactNode[] = [];
  if (verified) {
    const later = records - verified.records;
    lines.push(later > 0 ? t("later", { count: later }) : t("nothingLater"));
  }
  if (complete) lines.push(t.rich("complete", { time: time(complete.at) }));
  return (
    <div className="flex min-w-0 items-start gap-3">
      <Icon aria-hidden className={cn("mt-0.5 size-5 shrink-0", color)} />
      <div className="flex min-w-0 flex-col gap-0.5">
        <p className="font-medium">
          {isBroken && t("stateBroken")}
          {!isBroken && verified && t.rich("verified", { id: verified.records, time: time(verified.at) })}
          {!isBroken && !verified && t("unverified")}
        </p>
        {/* The lines are sentences, and their order never changes. */}
        <p className="text-muted-foreground text-xs leading-5">
          {lines.length === 0
            ? t("schedule")
            : lines.map((line, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: see above
                <span key={index}>{line} </span>
              ))}
        </p>
      </div>
    </div>
  );
}

/** Saves a signed checkpoint of the log as it is now. */
function CheckpointButton() {
  const t = useTranslations("auditLog.chain");
  const notified = useNotifiedCall();
  const save = async () => {
    const checkpoint = await notified(() => query("config/get-audit-checkpoint", {}));
    if (checkpoint === null) return;
    const text = `${JSON.stringify(checkpoint, null, 2)}\n`;
    const day = checkpoint.createdAt.slice(0, 10);
    saveFile(new Blob([text], { type: "application/json" }), `audit-checkpoint-${checkpoint.records}-${day}.json`);
  };
  return (
    <Button variant="secondary" onClick={save}>
      <Download aria-hidden className="text-muted-foreground" />
      {t("checkpoint")}
    </Button>
  );
}
