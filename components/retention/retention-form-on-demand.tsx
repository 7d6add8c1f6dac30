"use client";

import dynamic from "next/dynamic";
import { Skeleton } from "@/components/ui/skeleton";

/** The rule of an environment. It is loaded after the page, because all tabs of an environment share one first load. */
export const RetentionFormOnDemand = dynamic(() => import("./retention-form").then((file) => file.RetentionForm), {
  ssr: false,
  loading: () => <Skeleton className="h-80" />,
});
