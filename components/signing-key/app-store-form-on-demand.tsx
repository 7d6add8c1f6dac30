"use client";

import dynamic from "next/dynamic";
import { Skeleton } from "@/components/ui/skeleton";

/** The key of App Store Connect. It is loaded when it is asked for, because all tabs of an environment share one first load. */
export const AppStoreFormOnDemand = dynamic(() => import("./app-store-form").then((file) => file.AppStoreForm), {
  ssr: false,
  loading: () => <Skeleton className="h-48" />,
});
