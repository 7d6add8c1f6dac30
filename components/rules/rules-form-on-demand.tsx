"use client";

import dynamic from "next/dynamic";
import { Skeleton } from "@/components/ui/skeleton";

/** The rules of an environment. They are loaded after the page, because all tabs of an environment share one first load. */
export const RulesFormOnDemand = dynamic(() => import("./rules-form").then((file) => file.RulesForm), {
  ssr: false,
  loading: () => <Skeleton className="h-96" />,
});
