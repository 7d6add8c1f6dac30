"use client";

import { useTranslations } from "next-intl";
import { Component, type ComponentType, type ReactNode, use } from "react";
import { notify } from "@/lib/client/notify";

/** The code of a part of the page could not be loaded, for example because there is no connection. */
export class LoadError extends Error {
  override readonly name = "LoadError";

  constructor(
    cause: unknown,
    /** Lets the next rendering load the code again. */
    readonly reset: () => void,
  ) {
    super("the code of a part of the page could not be loaded", { cause });
  }
}

/**
 * Declares a part of the page whose code is loaded when it is rendered for the first time. Render it in a `LoadBoundary`, which lets it
 * be loaded again after a failure; `lazy` of React fails until the page is loaded again.
 * Call it once, outside any component.
 *
 * @param load imports the part
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loading: Promise<ComponentType<Props>> | undefined;
  const reset = () => {
    loading = undefined;
  };
  // biome-ignore lint/correctness/noComponentHookFactories: it is called once for each part, outside any component
  return function LazyPart(props: Props) {
    loading ??= load().catch((cause) => {
      throw new LoadError(cause, reset);
    });
    const Part = use(loading);
    return <Part {...props} />;
  };
}

export type LoadBoundaryProps = {
  /** Called when the code could not be loaded. A boundary with another `key` loads it again. */
  onFailed: () => void;
  children: ReactNode;
};

/** Renders nothing if the code of a `lazyPart` could not be loaded. Other errors are thrown on. */
export class LoadBoundary extends Component<LoadBoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown) {
    if (!(error instanceof LoadError)) return;
    error.reset();
    this.props.onFailed();
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    if (error instanceof LoadError) return null;
    throw error;
  }
}

/** Returns a function that says that code could not be loaded. @param onRetry what the button of the notice does */
export function useLoadFailureNotice(): (title: string, onRetry?: () => void) => void {
  const t = useTranslations("common");
  return (title, onRetry) =>
    notify.error(title, {
      description: t("dialogNotLoaded.description"),
      ...(onRetry && { action: { label: t("retry"), onClick: onRetry } }),
    });
}
