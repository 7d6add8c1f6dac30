"use client";

import { deviceFromBrowser } from "@slipway/installers";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { CopyField } from "@/components/common/copy-field";
import { ErrorState } from "@/components/common/error-state";
import { LoopbackNotice } from "@/components/common/loopback-notice";
import { QrCode } from "@/components/common/qr-code";
import { deviceHints } from "@/components/common/releases/device-hints";
import type { DialogProps } from "@/components/common/use-dialog";
import { Alert } from "@/components/ui/alert";
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
import { notify } from "@/lib/client/notify";
import type { OperationOutput } from "@/lib/client/operation-types";
import { useOperation } from "@/lib/client/use-operation";
import { ProfileSteps } from "./profile-steps";

type Enrollment = OperationOutput<"devices/start-device-enrollment">;

function browserFacts() {
  const { userAgent, platform, maxTouchPoints } = navigator;
  return { userAgent, platform, maxTouchPoints };
}

/** Registers a device: on an iPhone by a profile, elsewhere by a code for the iPhone, or this device by what its browser tells. */
export function RegisterDialog({ open, onOpenChange }: DialogProps) {
  const t = useTranslations("devices");
  const router = useRouter();
  const { run: start } = useOperation("devices/start-device-enrollment");
  const own = useOperation("devices/create-own-device");
  const [enrollment, setEnrollment] = useState<Enrollment | "failed" | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [{ os, browser }] = useState(() => deviceFromBrowser(browserFacts()));
  const isApple = os === "ios" || os === "ipados";

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt begins again
  useEffect(() => {
    let shown = true;
    start({}).then((result) => shown && setEnrollment(result.ok ? result.data : "failed"));
    return () => {
      shown = false;
    };
  }, [attempt]);

  const close = (next: boolean) => {
    onOpenChange(next);
    // The other device may have been registered in the meantime.
    if (!next) router.refresh();
  };
  const registerThis = async () => {
    const { platform, maxTouchPoints } = browserFacts();
    const told = await deviceHints();
    const result = await own.run({
      platform,
      maxTouchPoints,
      ...(told?.platformVersion && { platformVersion: told.platformVersion }),
      ...(told?.model && { model: told.model }),
    });
    if (!result.ok) return;
    notify.success(t("createdNotice", { name: result.data.name }));
    close(false);
  };

  return (
    <Dialog open={open} onOpenChange={close}>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>{t(isApple ? "registerThis" : "register")}</DialogTitle>
          <DialogDescription>{t("registerDescription")}</DialogDescription>
        </DialogHeader>
        <DialogBody className="flex flex-col gap-4 pb-5">
          {enrollment === null && <Skeleton className="h-12" />}
          {enrollment === "failed" && (
            <ErrorState
              onRetry={() => {
                setEnrollment(null);
                setAttempt((current) => current + 1);
              }}
            />
          )}
          {enrollment !== null && enrollment !== "failed" && isApple && (
            <>
              {browser !== "safari" && <Alert tone="warning" title={t("steps.safari")} />}
              <Button asChild size="lg">
                <a href={enrollment.profileUrl}>{t("download")}</a>
              </Button>
              <ProfileSteps />
            </>
          )}
          {enrollment !== null && enrollment !== "failed" && !isApple && (
            <>
              <p className="text-pretty">{t("scan")}</p>
              <QrCode value={enrollment.enrollmentUrl} label={t("qrLabel")} copyable={false} className="self-center" />
              <CopyField label={t("address")} value={enrollment.enrollmentUrl} />
              <LoopbackNotice link={enrollment.enrollmentUrl} />
            </>
          )}
          {!isApple && (
            <Button variant="secondary" loading={own.pending} onClick={() => void registerThis()}>
              {t(os === "android" ? "registerAndroid" : "registerComputer")}
            </Button>
          )}
        </DialogBody>
      </DialogContent>
    </Dialog>
  );
}
