/** A rectangle of the window, in CSS pixels. */
export type Box = { top: number; bottom: number; left: number; right: number };

/** Space between a button and the notifications below it, in CSS pixels. */
const GAP = 8;

/**
 * The highest place for an area at which it covers none of some boxes.
 *
 * @param area where it would be; it moves down only
 * @param boxes what must stay free
 * @param limit the lowest top of the area; if nothing above it is free, the area stays where it is
 * @returns the top of the area, in CSS pixels
 */
export function freeTop(area: Box, boxes: readonly Box[], limit: number): number {
  const height = area.bottom - area.top;
  let top = area.top;
  for (const box of boxes.toSorted((a, b) => a.top - b.top)) {
    const isBeside = box.right <= area.left || box.left >= area.right;
    if (!isBeside && box.bottom > top - GAP && box.top < top + height) top = box.bottom + GAP;
  }
  return top <= limit ? top : area.top;
}
