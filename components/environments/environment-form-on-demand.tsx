"use client";

import dynamic from "next/dynamic";
import { Skeleton } from "@/components/ui/skeleton";

/** The form of an environment. It is loaded after the page, because all tabs of an environment share one first load. */
export const EnvironmentFormOnDemand = dynamic(
  () => import("./environment-form").then((file) => file.EnvironmentForm),
  { ssr: false, loading: () => <Skeleton className="h-92" /> },
);
