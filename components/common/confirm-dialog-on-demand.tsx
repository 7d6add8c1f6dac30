"use client";

import { lazyDialog } from "@/components/common/lazy-dialog";

/** `ConfirmDialog` for components that are part of the first view: it is loaded when it is first rendered. */
export const ConfirmDialogOnDemand = lazyDialog(() => import("./confirm-dialog").then((file) => file.ConfirmDialog));
