"use client";

import { Download } from "lucide-react";
import { useTranslations } from "next-intl";
import { CopyButton } from "@/components/common/copy-button";
import { saveFile } from "@/components/common/save-file";
import { useUnsavedWork } from "@/components/common/use-unsaved-work";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";

const FILE_NAME = "recovery-codes.txt";

/** Recovery codes, shown once, to copy or download. Leaving the page while they are shown asks for confirmation. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const t = useTranslations("twoFactor.recovery");

  useUnsavedWork(true);

  const download = () => {
    const { host } = window.location;
    const text = `${t("fileHeading", { host })}\n${t("onceEach")}\n\n${codes.join("\n")}\n`;
    saveFile(new Blob([text], { type: "text/plain" }), FILE_NAME);
  };

  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Alert tone="warning" title={t("onceTitle")}>
        {t("onceDescription")}
      </Alert>
      <ol
        aria-label={t("title")}
        className="grid grid-cols-[repeat(auto-fill,minmax(14rem,1fr))] gap-x-6 gap-y-1.5 rounded-lg border border-border bg-muted px-4 py-3 font-mono text-[0.8125rem]"
      >
        {codes.map((code) => (
          <li key={code} className="select-all whitespace-nowrap">
            {code}
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-2">
        <CopyButton value={codes.join("\n")} label={t("title")} text={t("copy")} />
        <Button variant="secondary" onClick={download}>
          <Download aria-hidden />
          {t("download")}
        </Button>
      </div>
    </div>
  );
}
