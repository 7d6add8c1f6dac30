import { useSyncExternalStore } from "react";

/** State of the page that components share without a provider. */
export class Store<State> {
  readonly initial: State;
  #state: State;
  readonly #listeners = new Set<() => void>();

  constructor(initial: State) {
    this.initial = initial;
    this.#state = initial;
  }

  readonly get = (): State => this.#state;

  set(state: State): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

/** Reads a part of a store's state: a value that is compared with `Object.is`. The server renders the initial state. */
export function useStore<State, Part>(store: Store<State>, select: (state: State) => Part): Part {
  return useSyncExternalStore(
    store.subscribe,
    () => select(store.get()),
    () => select(store.initial),
  );
}
