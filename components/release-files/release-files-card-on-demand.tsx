"use client";

import { hydratedLater } from "@/components/common/hydrated-later";

export const ReleaseFilesCard = hydratedLater(() =>
  import("./release-files-card").then((file) => file.ReleaseFilesCard),
);
