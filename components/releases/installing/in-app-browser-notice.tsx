"use client";

import type { DeviceFacts } from "@slipway/installers";
import { useTranslations } from "next-intl";
import { CopyButton } from "@/components/common/copy-button";
import { Alert } from "@/components/ui/alert";
import { useDevice } from "./use-device";

/** Says that another app's browser may not install, and which browser does. Renders nothing in that browser. */
export function InAppBrowserNotice({ rendered }: { rendered: DeviceFacts }) {
  const t = useTranslations("install");
  const device = useDevice(rendered);
  if (device.browser !== "in-app") return null;
  const browser = device.os === "android" ? "Chrome" : "Safari";
  return (
    <Alert
      tone="warning"
      title={t("inApp.title", { browser })}
      action={
        <CopyButton
          value={() => Promise.resolve(window.location.href)}
          text={t("copyLink")}
          variant="primary"
          className="h-11"
        />
      }
    >
      {t("inApp.description", { browser })}
    </Alert>
  );
}
