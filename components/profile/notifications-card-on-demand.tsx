"use client";

import { hydratedLater } from "@/components/common/hydrated-later";

// The tabs of the profile share their first load.
export const NotificationsCard = hydratedLater(() =>
  import("./notifications-card").then((file) => file.NotificationsCard),
);
