"use client";

import { type ComponentType, lazy, Suspense, useEffect } from "react";
import { loadLater, takeUnheardPress } from "./load-later";

/** Repeats a press that was made before the code of this part was loaded. */
function PressRepeater() {
  useEffect(() => {
    const button = takeUnheardPress();
    // If the button is in a part whose code is still missing, it is noted again.
    if (button?.isConnected) button.click();
  }, []);
  return null;
}

/**
 * Declares a part of a page that people read before they use it: its HTML comes with the page, and its code is loaded
 * when the page is idle or touched, so that it is not part of the first load. A button that is pressed before that
 * works as soon as its code is loaded. Call it once, outside any component.
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
