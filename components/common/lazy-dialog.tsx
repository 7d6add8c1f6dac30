"use client";

import { type ComponentType, use } from "react";

/** The code of a dialog could not be loaded, for example because there is no connection. */
export class DialogLoadError extends Error {
  override readonly name = "DialogLoadError";

  constructor(
    cause: unknown,
    /** Lets the next rendering load the code again. */
    readonly reset: () => void,
  ) {
    super("the code of a dialog could not be loaded", { cause });
  }
}

/**
 * Declares a dialog whose code is loaded when it is opened for the first time. Render it in `OpenedDialog` or
 * `DialogButton`, which show that it is being loaded, and that it could not be loaded.
 * Call it once, outside any component.
 *
 * @param load imports the dialog
 */
export function lazyDialog<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loading: Promise<ComponentType<Props>> | undefined;
  const reset = () => {
    loading = undefined;
  };
  // biome-ignore lint/correctness/noComponentHookFactories: it is called once for each dialog, outside any component
  return function LazyDialog(props: Props) {
    loading ??= load().catch((cause) => {
      throw new DialogLoadError(cause, reset);
    });
    const Dialog = use(loading);
    return <Dialog {...props} />;
  };
}
