"use client";

import type { DeviceFacts } from "@slipway/installers";
import { useRouter, useSearchParams } from "next/navigation";
import { useEffect } from "react";
import { tableUrl } from "@/components/common/data-table/table-url";
import { setCookie } from "@/components/common/set-cookie";
import { useDevice } from "../installing/use-device";
import { VISITS_COOKIE, withPageView } from "./last-visit";
import { systemOf } from "./system";

export type PageViewProps = {
  /** The value of the cookie `VISITS_COOKIE`. */
  visits: string | undefined;
  /** The device as detected by the server. */
  rendered: DeviceFacts;
};

/**
 * Notes the visit for the marks of new builds. If the server did not recognize the device, such as an iPad that presents
 * itself as a Mac, shows the builds of its operating system.
 */
export function PageView({ visits, rendered }: PageViewProps) {
  const router = useRouter();
  const query = useSearchParams();
  const system = systemOf(useDevice(rendered));
  const missed = system !== systemOf(rendered) && !query.has("platform") ? system : null;

  useEffect(() => {
    setCookie(VISITS_COOKIE, withPageView(visits, Date.now()));
  }, [visits]);

  useEffect(() => {
    if (missed) router.replace(tableUrl(query, { platform: missed }), { scroll: false });
  }, [missed, query, router]);

  return null;
}
