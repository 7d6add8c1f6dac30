"use client";

import dynamic from "next/dynamic";

// The list of releases and the page of a release share their first load.
export const ReleaseFilesCard = dynamic(() => import("./release-files-card").then((file) => file.ReleaseFilesCard));
