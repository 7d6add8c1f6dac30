"use client";

import { hydratedLater } from "@/components/common/hydrated-later";

// All sections of a page of entries share one first load.
export const ComparisonPlaces = hydratedLater(() =>
  import("./comparison-places").then((file) => file.ComparisonPlaces),
);
export const ComparisonTable = hydratedLater(() => import("./comparison-table").then((file) => file.ComparisonTable));
