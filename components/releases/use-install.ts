"use client";

import { useState } from "react";
import { useOperation } from "@/lib/client/use-operation";
import { startDownload } from "./download";

/** Installs a release on the device that the page is open on. */
export function useInstall(releaseId: string): {
  /** Hands the release to the device. */
  install(way: "itms-services" | "apk"): Promise<void>;
  pending: boolean;
  /** The device has been asked; the rest is up to it. */
  handedOver: boolean;
} {
  const [handedOver, setHandedOver] = useState(false);
  const makeLink = useOperation("apps/generate-apple-manifest-request-token");

  const install = async (way: "itms-services" | "apk") => {
    if (way === "apk") {
      startDownload(releaseId);
      setHandedOver(true);
      return;
    }
    const result = await makeLink.run({ id: releaseId });
    if (!result.ok) return;
    setHandedOver(true);
    window.location.assign(result.data.installUrl);
  };

  return { install, pending: makeLink.pending, handedOver };
}
