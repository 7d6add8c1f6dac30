"use client";

import { hydratedLater } from "@/components/common/hydrated-later";

export const BuildMenu = hydratedLater(() => import("./build-menu").then((file) => file.BuildMenu));
