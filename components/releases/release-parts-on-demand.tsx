"use client";

import dynamic from "next/dynamic";

// Parts of the page of a release that most testers do not see.
export const InstallCheckAlert = dynamic(() => import("./install-check").then((file) => file.InstallCheckAlert));
export const InstallCheckCard = dynamic(() => import("./install-check").then((file) => file.InstallCheckCard));
export const TellTestersButton = dynamic(() => import("./tell-testers-button").then((file) => file.TellTestersButton));
export const UniversalCard = dynamic(() => import("./universal-card").then((file) => file.UniversalCard));
