"use client";

import type { ComponentType } from "react";
import { lazyPart } from "./lazy-part";

/**
 * Declares a dialog whose code is loaded when it is opened for the first time. Render it in `OpenedDialog` or
 * `DialogButton`, which show that it is being loaded, and that it could not be loaded.
 * Call it once, outside any component.
 *
 * @param load imports the dialog
 */
export function lazyDialog<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  return lazyPart(load);
}
