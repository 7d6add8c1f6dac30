"use client";

import { RotateCw } from "lucide-react";
import { useTranslations } from "next-intl";
import { useCallback, useEffect, useState } from "react";
import { CodeBlock } from "@/components/common/code-block";
import { DateTime } from "@/components/common/date-time";
import { Disclosure } from "@/components/common/disclosure";
import { ErrorState } from "@/components/common/error-state";
import { RelativeTime } from "@/components/common/relative-time";
import type { DialogProps } from "@/components/common/use-dialog";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogBody,
  DialogContent,
  DialogDescription,
  DialogHeader,
  DialogTitle,
} from "@/components/ui/dialog";
import { Skeleton } from "@/components/ui/skeleton";
import { query } from "@/lib/client/client";
import { notify } from "@/lib/client/notify";
import type { OperationOutput } from "@/lib/client/operation-types";
import { useOperation } from "@/lib/client/use-operation";
import type { Delivery, Webhook } from "@/lib/features/webhooks/schema";
import { failureKey } from "./failure-key";

type Page = OperationOutput<"webhooks/get-webhook-deliveries">;

/** The deliveries of a webhook page by page. */
function useDeliveries(webhookId: string) {
  const [pages, setPages] = useState<readonly Page[]>([]);
  const [state, setState] = useState<"loading" | "failed" | "loaded">("loading");
  const load = useCallback(
    async (cursor?: string, signal?: AbortSignal) => {
      setState("loading");
      try {
        const page = await query(
          "webhooks/get-webhook-deliveries",
          { webhookId, ...(cursor && { cursor }) },
          { signal },
        );
        setPages((before) => (cursor ? [...before, page] : [page]));
        setState("loaded");
      } catch {
        if (!signal?.aborted) setState("failed");
      }
    },
    [webhookId],
  );
  useEffect(() => {
    const controller = new AbortController();
    load(undefined, controller.signal);
    return () => controller.abort();
  }, [load]);
  return { items: pages.flatMap(({ items }) => items), nextCursor: pages.at(-1)?.nextCursor ?? null, state, load };
}

/** The log of a webhook's deliveries: each with its tries and the answers of the receiver. */
export function DeliveriesDialog({ webhook, open, onOpenChange }: DialogProps & { webhook: Webhook }) {
  const t = useTranslations("webhooks");
  const { items, nextCursor, state, load } = useDeliveries(webhook.id);
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent size="xl" steady>
        <DialogHeader>
          <DialogTitle>{t("deliveriesOf", { name: webhook.name })}</DialogTitle>
          <DialogDescription>{t("deliveriesDescription")}</DialogDescription>
        </DialogHeader>
        <DialogBody className="flex flex-col gap-3 pb-5">
          <Button
            variant="secondary"
            size="sm"
            className="self-start"
            onClick={() => load()}
            disabled={state === "loading"}
          >
            <RotateCw aria-hidden />
            {t("refresh")}
          </Button>
          {state === "failed" && <ErrorState title={t("deliveriesFailed")} onRetry={() => load()} />}
          {state === "loaded" && items.length === 0 && <p className="text-muted-foreground">{t("noDeliveries")}</p>}
          <ul className="flex flex-col divide-y divide-border">
            {items.map((delivery) => (
              <DeliveryItem key={delivery.id} delivery={delivery} onRepeated={() => load()} />
            ))}
          </ul>
          {state === "loading" && <Skeleton className="h-20 w-full" />}
          {state === "loaded" && nextCursor && (
            <Button variant="secondary" className="self-center" onClick={() => load(nextCursor)}>
              {t("earlier")}
            </Button>
          )}
        </DialogBody>
      </DialogContent>
    </Dialog>
  );
}

const TONES = { pending: "info", delivered: "success", failed: "danger" } as const;

function DeliveryItem({ delivery, onRepeated }: { delivery: Delivery; onRepeated: () => void }) {
  const t = useTranslations("webhooks");
  const repeat = useOperation("webhooks/redeliver-webhook");
  const { id, type, at, state, test, nextAt, messageId, data, attempts } = delivery;
  const redeliver = async () => {
    const result = await repeat.run({ id });
    if (!result.ok) return;
    notify.success(t("redelivered"));
    onRepeated();
  };
  return (
    <li className="flex flex-col gap-1.5 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <Badge tone={TONES[state]}>{t(`states.${state}`)}</Badge>
        <span className="font-medium font-mono">{type}</span>
        {test && <Badge tone="outline">{t("isTest")}</Badge>}
        <span className="text-muted-foreground">
          <RelativeTime date={at} />
        </span>
        {state !== "pending" && (
          <Button variant="secondary" size="sm" className="ml-auto" loading={repeat.pending} onClick={redeliver}>
            {t("redeliver")}
          </Button>
        )}
      </div>
      {nextAt && attempts.length > 0 && (
        <p className="text-muted-foreground">
          {t("nextTry")} <DateTime date={nextAt} withTime />
        </p>
      )}
      <Disclosure summary={t("tries", { count: attempts.length })}>
        <div className="flex min-w-0 flex-col gap-3 pt-1">
          {attempts.map((attempt) => (
            <div key={attempt.number} className="flex min-w-0 flex-col gap-1">
              <p className="flex flex-wrap gap-x-3">
                <DateTime date={attempt.at} withTime />
                <span>
                  {attempt.failure ? t(failureKey(attempt.failure)) : t("answered", { status: attempt.status ?? 0 })}
                </span>
                <span className="text-muted-foreground">{t("duration", { ms: attempt.durationMs })}</span>
              </p>
              {attempt.answer && <CodeBlock label={t("answer")} code={attempt.answer} />}
            </div>
          ))}
          <CodeBlock label={t("data", { id: messageId })} code={JSON.stringify(data, null, 2)} />
        </div>
      </Disclosure>
    </li>
  );
}
