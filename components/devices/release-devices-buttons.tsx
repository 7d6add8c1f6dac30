"use client";

import { useTranslations } from "next-intl";
import { DialogButton } from "@/components/common/dialog-button";
import { lazyDialog } from "@/components/common/lazy-dialog";

// Loaded when they are opened for the first time, not with the page.
const AppleDialog = lazyDialog(() => import("./apple-dialog").then((file) => file.AppleDialog));
const ReleaseDevicesDialog = lazyDialog(() =>
  import("./release-devices-dialog").then((file) => file.ReleaseDevicesDialog),
);

export type ReleaseDevicesButtonsProps = {
  release: { id: string; name: string; environmentId: string };
  isAdmin: boolean;
  /** Whether the profile misses devices. */
  hasMissing: boolean;
};

/** Shows which devices a profile lists and misses, and for administrators registers those with Apple. */
export function ReleaseDevicesButtons({ release, isAdmin, hasMissing }: ReleaseDevicesButtonsProps) {
  const t = useTranslations("devices.coverage");
  return (
    <div className="flex flex-wrap gap-2">
      <DialogButton
        variant="secondary"
        dialog={(dialog) => <ReleaseDevicesDialog release={release} isAdmin={isAdmin} {...dialog} />}
      >
        {t("show")}
      </DialogButton>
      {isAdmin && hasMissing && (
        <DialogButton variant="secondary" dialog={(dialog) => <AppleDialog release={release} {...dialog} />}>
          {t("register")}
        </DialogButton>
      )}
    </div>
  );
}
