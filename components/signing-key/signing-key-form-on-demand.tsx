"use client";

import dynamic from "next/dynamic";
import { Skeleton } from "@/components/ui/skeleton";

/** The signing key of an environment. It is loaded when it is asked for, because all tabs of an environment share one first load. */
export const SigningKeyFormOnDemand = dynamic(() => import("./signing-key-form").then((file) => file.SigningKeyForm), {
  ssr: false,
  loading: () => <Skeleton className="h-48" />,
});
