"use client";

import dynamic from "next/dynamic";

/** `ConfirmDialog` for what is in view from the start: it is loaded when it is first rendered. */
export const ConfirmDialogOnDemand = dynamic(() => import("./confirm-dialog").then((file) => file.ConfirmDialog), {
  ssr: false,
});
