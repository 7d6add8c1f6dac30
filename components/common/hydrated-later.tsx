"use client";

import { type ComponentType, lazy, Suspense, useEffect } from "react";
import { whenIdle } from "@/lib/client/when-idle";

/** What a person does before they press something in a part of the page. */
const TOUCHES = ["pointerover", "pointerdown", "focusin", "keydown"] as const;

/** Resolves with the next touch of the page. */
function nextTouch(): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      for (const touch of TOUCHES) document.removeEventListener(touch, done);
      resolve();
    };
    for (const touch of TOUCHES) document.addEventListener(touch, done, { passive: true });
  });
}

let settled: Promise<void> | undefined;

/** Resolves when the first page of this tab is idle or touched; the pages after it are as soon as they are there. */
function firstPageSettled(): Promise<void> {
  settled ??= Promise.race([new Promise<void>((resolve) => void whenIdle(resolve)), nextTouch()]);
  return settled;
}

/** The button whose press came before the code of its part. */
let unheard: HTMLButtonElement | null = null;
let listens = false;

/** Notes presses of buttons whose code is missing. React stops their events at the document. */
function listenForPresses(): void {
  if (listens) return;
  listens = true;
  const note = (event: Event) => {
    // What React stopped before this listener, which comes after those of React.
    unheard = event.cancelBubble && event.target instanceof Element ? event.target.closest("button") : null;
  };
  document.addEventListener("click", note, { capture: true });
}

/** Repeats a press that came before the code of this part. */
function PressRepeater() {
  useEffect(() => {
    const button = unheard;
    unheard = null;
    // If the button is in a part whose code is still missing, it is noted again.
    if (button?.isConnected) button.click();
  }, []);
  return null;
}

/** Loads code after the first page. Without a connection, what the server rendered stays, and the next touch tries again. */
async function loadLater<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  if (typeof window === "undefined") return load();
  listenForPresses();
  await firstPageSettled();
  try {
    return await load();
  } catch {
    await nextTouch();
    return load();
  }
}

/**
 * Declares a part of a page that people read before they use it: its HTML comes with the page, and its code is loaded when the page
 * is idle or touched, so that it is not part of the first load. A button that is pressed before that does what it says as soon as its
 * code is there. Call it once, outside any component.
 *
 * @param load imports the part
 */
export function hydratedLater<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Part = lazy(async () => ({ default: await loadLater(load) })) as unknown as ComponentType<Props>;
  // biome-ignore lint/correctness/noComponentHookFactories: it is called once for each part, outside any component
  return function HydratedLater(props: Props) {
    return (
      <Suspense>
        <Part {...props} />
        <PressRepeater />
      </Suspense>
    );
  };
}
