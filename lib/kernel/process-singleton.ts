/** A value that exists once in a process. */
export interface ProcessSingleton<Value> {
  /** Returns the value, which the first call creates. */
  get(): Value;
  /** Replaces the value, for tests. */
  set(value: Value): void;
  /** Removes the value, so that the next `get` creates another. @returns the removed value */
  clear(): Value | undefined;
}

/**
 * Stores one value for the whole process. Next bundles pages, routes and instrumentation separately and reloads modules in
 * development, so a module's variable can exist several times.
 *
 * @param name unique among all singletons
 */
export function processSingleton<Value>(name: string, create: () => Value): ProcessSingleton<Value> {
  const values = globalThis as unknown as Record<symbol, Value | undefined>;
  const key = Symbol.for(`slipway.${name}`);
  return {
    get: () => {
      values[key] ??= create();
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
