"use client";

import { hydratedLater } from "@/components/common/hydrated-later";

export const ReleaseDevicesCard = hydratedLater(() =>
  import("./release-devices-card").then((file) => file.ReleaseDevicesCard),
);
