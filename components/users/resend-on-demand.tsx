"use client";

import dynamic from "next/dynamic";

/** Loaded only where somebody is invited: the tabs of an environment list users too. */
export const ResendButton = dynamic(() => import("./user-actions").then((file) => file.ResendButton));
