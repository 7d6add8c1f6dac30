"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { CodeBlock } from "@/components/common/code-block";
import { Disclosure } from "@/components/common/disclosure";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { query } from "@/lib/client/client";
import { isEventType } from "@/lib/kernel/events";
import type { WebhookFormat } from "@/lib/kernel/webhook-formats";

/** The body of an example in a format, as the server makes it. */
export function FormatPreview({ format, event }: { format: WebhookFormat; event: string | undefined }) {
  const t = useTranslations("webhooks");
  const common = useTranslations("common");
  const [body, setBody] = useState<string | "loading" | "failed">("loading");
  const [tries, setTries] = useState(0);
  const type = event && isEventType(event) ? event : "release.published";
  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` loads it again
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    setBody("loading");
    query("webhooks/preview-webhook", { format, event: type }, { signal }).then(
      (preview) => setBody(JSON.stringify(JSON.parse(preview.body), null, 2)),
      () => signal.aborted || setBody("failed"),
    );
    return () => controller.abort();
  }, [format, type, tries]);
  return (
    <Disclosure summary={t("preview")}>
      {body === "loading" && <Skeleton className="h-40 w-full" />}
      {body === "failed" && (
        <p role="alert" className="flex flex-wrap items-center gap-3 text-danger">
          {t("previewFailed")}
          <Button variant="secondary" size="sm" onClick={() => setTries(tries + 1)}>
            {common("retry")}
          </Button>
        </p>
      )}
      {body !== "loading" && body !== "failed" && <CodeBlock label={t("previewBody", { event: type })} code={body} />}
    </Disclosure>
  );
}
