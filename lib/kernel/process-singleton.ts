/** A value that exists once in a process. */
export interface ProcessSingleton<Value> {
  /** The value, made at the first call. */
  get(): Value;
  /** Puts a value in the place of what was made, as a test does. */
  set(value: Value): void;
  /** Forgets the value: the next `get` makes another. @returns the value that was forgotten */
  clear(): Value | undefined;
}

/**
 * Keeps one value for the whole process. Next bundles pages, routes and the start apart and reloads modules in
 * development, so a module's own variable would exist several times.
 *
 * @param name unique among all singletons
 */
export function processSingleton<Value>(name: string, make: () => Value): ProcessSingleton<Value> {
  const values = globalThis as unknown as Record<symbol, Value | undefined>;
  const key = Symbol.for(`slipway.${name}`);
  return {
    get: () => {
      values[key] ??= make();
      return values[key];
    },
    set: (value) => {
      values[key] = value;
    },
    clear: () => {
      const value = values[key];
      values[key] = undefined;
      return value;
    },
  };
}
