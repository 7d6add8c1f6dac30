"use client";

import dynamic from "next/dynamic";

// The list of releases and the page of a release share their first load.
export const ReleaseDevicesCard = dynamic(() =>
  import("./release-devices-card").then((file) => file.ReleaseDevicesCard),
);
