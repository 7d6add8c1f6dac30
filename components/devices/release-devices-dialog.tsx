"use client";

import { Check, Download, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { ErrorState } from "@/components/common/error-state";
import { saveFile } from "@/components/common/save-file";
import { useAnswer } from "@/components/common/use-answer";
import type { DialogProps } from "@/components/common/use-dialog";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogBody,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from "@/components/ui/dialog";
import { Skeleton } from "@/components/ui/skeleton";
import { downloadFile } from "@/lib/client/client";
import { useNotifiedCall } from "@/lib/client/use-operation";
import { deviceSystem } from "./device-system";

/** Devices that the dialog asks for. */
const SHOWN = 100;

/** The devices that the profile of a release lists, and those that it does not; administrators save the latter in Apple's format. */
export function ReleaseDevicesDialog({
  release,
  isAdmin,
  open,
  onOpenChange,
}: DialogProps & { release: { id: string; name: string }; isAdmin: boolean }) {
  const t = useTranslations("devices");
  const call = useNotifiedCall();
  const { id, name } = release;
  const { answer, retry } = useAnswer("devices/get-release-devices", { id, limit: SHOWN });
  const save = async () => {
    const file = await call(() => downloadFile("devices/export-devices", { missingIn: id }));
    if (file) saveFile(file, file.name);
  };
  const shown = answer === "failed" ? null : answer;
  // Those beyond the first ones, and those of other people for users who may not edit the release.
  const others = shown ? shown.covered + shown.notCovered - shown.items.length : 0;
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>{t("coverage.title", { name })}</DialogTitle>
          <DialogDescription>{t("coverage.description")}</DialogDescription>
        </DialogHeader>
        <DialogBody className="flex flex-col gap-3 pb-4">
          {answer === null && <Skeleton className="h-24" />}
          {answer === "failed" && <ErrorState onRetry={retry} />}
          {shown && shown.items.length + others === 0 && <p className="text-muted-foreground">{t("coverage.none")}</p>}
          <ul className="flex flex-col divide-y divide-border">
            {shown?.items.map((device) => (
              <li key={device.id} className="flex min-w-0 items-start gap-2.5 py-2">
                {device.covered ? (
                  <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />
                ) : (
                  <X aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
                )}
                <span className="flex min-w-0 flex-1 flex-col">
                  <span className="truncate">{device.name}</span>
                  <span className="break-words text-muted-foreground text-xs">
                    {[
                      t(device.covered ? "coverage.covered" : "coverage.missing"),
                      device.modelName ?? device.model,
                      deviceSystem(device, t("systems.desktop")),
                      device.user && `${device.user.firstNames} ${device.user.lastNames}`,
                    ]
                      .filter(Boolean)
                      .join(" · ")}
                  </span>
                </span>
              </li>
            ))}
          </ul>
          {others > 0 && <p className="text-muted-foreground text-xs">{t("coverage.more", { count: others })}</p>}
          {shown && shown.unknownUdids > 0 && (
            <p className="text-muted-foreground text-xs">{t("coverage.unknown", { count: shown.unknownUdids })}</p>
          )}
        </DialogBody>
        {isAdmin && shown && shown.notCovered > 0 && (
          <DialogFooter>
            <Button onClick={() => void save()} title={t("exportHint")}>
              <Download aria-hidden />
              {t("coverage.export", { count: shown.notCovered })}
            </Button>
          </DialogFooter>
        )}
      </DialogContent>
    </Dialog>
  );
}
