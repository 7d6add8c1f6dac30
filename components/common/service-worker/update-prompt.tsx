"use client";

import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { useNewVersion } from "./use-new-version";
import { useSharedNotice } from "./use-shared-notice";

type Answer = "none" | "later" | "unsaved" | "applying";

/** Asks whether to reload the page with a new version of the console. It is not modal, so that work can be finished first. */
export function UpdatePrompt() {
  const t = useTranslations("offline.update");
  const titleId = useId();
  const { available, apply } = useNewVersion();
  const [answer, setAnswer] = useState<Answer>("none");
  useSharedNotice();
  if (!available || answer === "later") return null;

  const update = async () => {
    setAnswer("applying");
    if (!(await apply())) setAnswer("unsaved");
  };

  return (
    <div
      role="dialog"
      aria-labelledby={titleId}
      className="fixed inset-x-3 bottom-3 z-40 flex flex-col gap-3 rounded-lg border border-border bg-popover p-4 text-popover-foreground shadow-lg lg:right-4 lg:bottom-4 lg:left-auto lg:w-96"
    >
      <div className="flex flex-col gap-1">
        <p id={titleId} className="font-medium">
          {t("title")}
        </p>
        <p role="status" className="text-pretty text-muted-foreground">
          {t(answer === "unsaved" ? "unsaved" : "description")}
        </p>
      </div>
      <div className="flex justify-end gap-2">
        <Button variant="secondary" onClick={() => setAnswer("later")}>
          {t("later")}
        </Button>
        <Button onClick={() => void update()} loading={answer === "applying"}>
          {t("apply")}
        </Button>
      </div>
    </div>
  );
}
