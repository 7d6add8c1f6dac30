"use client";

import dynamic from "next/dynamic";

/** `ConfirmDialog` for components that are part of the first view: it is loaded when it is first rendered. */
export const ConfirmDialogOnDemand = dynamic(() => import("./confirm-dialog").then((file) => file.ConfirmDialog), {
  ssr: false,
});
