import { Store, useStore } from "../store";

/** How many fields of a form wait for their value. The key is the `control` of the form. */
const counts = new WeakMap<object, Store<number>>();

function countOf(control: object): Store<number> {
  const count = counts.get(control) ?? new Store(0);
  counts.set(control, count);
  return count;
}

/**
 * Holds a form back until a field has its value, such as the ID of a file that is being uploaded: the form would be sent without it.
 * @returns what the promise resolves with
 */
export async function untilReady<Value>(control: object, value: Promise<Value>): Promise<Value> {
  const count = countOf(control);
  count.set(count.get() + 1);
  try {
    return await value;
  } finally {
    count.set(count.get() - 1);
  }
}

/** Whether a field of a form waits for its value. */
export function hasPendingInput(control: object): boolean {
  return countOf(control).get() > 0;
}

/** As `hasPendingInput`, for what shows it. */
export function usePendingInput(control: object): boolean {
  return useStore(countOf(control), (count) => count > 0);
}
