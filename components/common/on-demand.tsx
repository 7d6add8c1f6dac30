"use client";

import { useTranslations } from "next-intl";
import { Slot } from "radix-ui";
import {
  type ComponentType,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  Suspense,
  useRef,
  useState,
} from "react";
import { LoadBoundary, lazyPart, useLoadFailureNotice } from "./lazy-part";

/** The additional props of an overlay that is loaded on demand. It opens as soon as it is rendered. */
export type OnDemandProps = {
  /** The button that opens it. */
  trigger: ReactElement;
  /** How it was opened; by keyboard, its first entry receives the focus. */
  openedBy: "keyboard" | "pointer";
};

/** An overlay (menu, popover) whose code is loaded just before it is needed. */
export type LazyOverlay<Props extends object> = {
  Overlay: ComponentType<Props & OnDemandProps>;
  preload: () => void;
};

/**
 * Declares an overlay for `OnDemand`. Call it once, outside any component.
 *
 * @param load imports the overlay, which renders its trigger itself and is initially open
 */
export function lazyOverlay<Props extends object>(
  load: () => Promise<ComponentType<Props & OnDemandProps>>,
): LazyOverlay<Props> {
  return {
    Overlay: lazyPart(load),
    // A failure is shown when the overlay is opened, which loads it again.
    preload: () => void load().catch(() => {}),
  };
}

export type OnDemandComponentProps<Props extends object> = {
  overlay: LazyOverlay<Props>;
  /** The kind of overlay, for assistive technology. */
  popup: "menu" | "dialog" | "listbox";
  trigger: ReactElement;
  overlayProps: Props;
};

/**
 * A button that opens an overlay. The overlay's code is loaded when the button is hovered or focused, not with the
 * page. Until then, only the button is rendered. If it cannot be loaded, a notice says so, and the next press tries again.
 */
export function OnDemand<Props extends object>({
  overlay: { Overlay, preload },
  popup,
  trigger,
  overlayProps,
}: OnDemandComponentProps<Props>) {
  const t = useTranslations("common.error");
  const notifyFailure = useLoadFailureNotice();
  const [openedBy, setOpenedBy] = useState<OnDemandProps["openedBy"] | null>(null);
  const hasFailed = useRef(false);

  const open = (event: MouseEvent) => setOpenedBy(event.detail === 0 ? "keyboard" : "pointer");
  const openWithArrow = (event: KeyboardEvent) => {
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    setOpenedBy("keyboard");
  };

  const failed = () => {
    notifyFailure(t("part"));
    hasFailed.current = true;
    setOpenedBy(null);
  };
  // The button that was pressed is another element than the one that is closed again.
  const focusAfterFailure = (button: HTMLElement | null) => {
    if (!button || !hasFailed.current) return;
    hasFailed.current = false;
    // It was on the button that is gone, so that it is now on what contains it.
    if (document.activeElement?.contains(button)) button.focus();
  };

  const closed = (
    <Slot.Root
      ref={focusAfterFailure}
      aria-haspopup={popup}
      aria-expanded={false}
      data-state="closed"
      onPointerEnter={preload}
      onFocus={preload}
      onClick={open}
      onKeyDown={openWithArrow}
    >
      {trigger}
    </Slot.Root>
  );
  if (openedBy === null) return closed;
  // A press shows its effect at once, however long the code takes.
  const opening = (
    <Slot.Root aria-haspopup={popup} aria-expanded={false} aria-busy data-state="open">
      {trigger}
    </Slot.Root>
  );
  return (
    <LoadBoundary onFailed={failed}>
      <Suspense fallback={opening}>
        <Overlay {...overlayProps} trigger={trigger} openedBy={openedBy} />
      </Suspense>
    </LoadBoundary>
  );
}
