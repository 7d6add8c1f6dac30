/**
 * Node's own zlib; null in the browser, whose streams do the same in many more steps. It is asked for at run time: an
 * import would have to mean something to the browser too.
 */
export const nodeZlib = globalThis.process?.getBuiltinModule?.("node:zlib") ?? null;

/** The most bytes that go into or come out of one call for which the server waits: it takes a few milliseconds. */
export const MAX_AT_ONCE = 256 * 1024;
