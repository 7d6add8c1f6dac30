"use client";

import { hydratedLater } from "@/components/common/hydrated-later";

export const EnvironmentMenu = hydratedLater(() => import("./environment-menu").then((file) => file.EnvironmentMenu));
