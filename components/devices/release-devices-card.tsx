"use client";

import { Smartphone } from "lucide-react";
import { useTranslations } from "next-intl";
import { DialogButton } from "@/components/common/dialog-button";
import { lazyDialog } from "@/components/common/lazy-dialog";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import type { OperationOutput } from "@/lib/client/operation-types";

// Loaded when it is opened for the first time, not with the page.
const ReleaseDevicesDialog = lazyDialog(() =>
  import("./release-devices-dialog").then((file) => file.ReleaseDevicesDialog),
);

/** How many devices of the people who may see a release its profile lists, with the list of them. */
export function ReleaseDevicesCard({
  release,
  devices: { covered, notCovered, unknownUdids },
  isAdmin,
}: {
  release: { id: string; name: string };
  devices: OperationOutput<"devices/get-release-devices">;
  isAdmin: boolean;
}) {
  const t = useTranslations("devices.coverage");
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("heading")}</CardTitle>
      </CardHeader>
      <CardContent className="flex-row flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="flex min-w-0 items-start gap-2.5">
          <Smartphone aria-hidden className="mt-0.5 size-4 shrink-0 text-muted-foreground" />
          <span className="min-w-0">
            {t("summary", { covered, total: covered + notCovered })}
            {unknownUdids > 0 && (
              <span className="block text-muted-foreground text-xs">{t("unknown", { count: unknownUdids })}</span>
            )}
          </span>
        </p>
        <DialogButton
          variant="secondary"
          dialog={(dialog) => <ReleaseDevicesDialog release={release} isAdmin={isAdmin} {...dialog} />}
        >
          {t("show")}
        </DialogButton>
      </CardContent>
    </Card>
  );
}
