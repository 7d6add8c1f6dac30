"use client";

import dynamic from "next/dynamic";
import { Skeleton } from "@/components/ui/skeleton";

/** The form of a provider. It is loaded after the page, because all tabs of the settings share one first load. */
export const ConfigFormOnDemand = dynamic(() => import("./config-form").then((file) => file.ConfigForm), {
  ssr: false,
  loading: () => <Skeleton className="h-64" />,
});
