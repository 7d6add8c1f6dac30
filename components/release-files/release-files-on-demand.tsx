"use client";

import dynamic from "next/dynamic";

// Most testers do not see it.
export const ReleaseFilesCard = dynamic(() => import("./release-files-card").then((file) => file.ReleaseFilesCard));
