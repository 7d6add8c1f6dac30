"use client";

import dynamic from "next/dynamic";

/** Loaded only with the tab that shows code: all tabs of an environment share one first load. */
export const TabbedCode = dynamic(() => import("./tabbed-code").then((file) => file.TabbedCode));
