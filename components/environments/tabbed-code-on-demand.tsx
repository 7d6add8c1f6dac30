"use client";

import { hydratedLater } from "@/components/common/hydrated-later";

// All tabs of an environment share one first load.
export const TabbedCode = hydratedLater(() => import("./tabbed-code").then((file) => file.TabbedCode));
