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

/** The button that was pressed before the code of its part was loaded. */
let unheard: HTMLButtonElement | null = null;
let listens = false;

/** Notes presses of buttons whose code is missing. React stops their events at the document. */
function listenForPresses(): void {
  if (listens) return;
  listens = true;
  const note = (event: Event) => {
    // `cancelBubble` says that React has stopped the event: this listener runs after those of React.
    unheard = event.cancelBubble && event.target instanceof Element ? event.target.closest("button") : null;
  };
  document.addEventListener("click", note, { capture: true });
}

/** Returns the button that was pressed before the code of its part was loaded, once. */
export function takeUnheardPress(): HTMLButtonElement | null {
  const button = unheard;
  unheard = null;
  return button;
}

/** Loads code after the first page. Without a connection, what the server rendered stays, and each touch tries again. */
export async function loadLater<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  if (typeof window === "undefined") return load();
  listenForPresses();
  await firstPageSettled();
  for (;;) {
    try {
      return await load();
    } catch {
      // An early press is not repeated much later.
      unheard = null;
      await nextTouch();
    }
  }
}
