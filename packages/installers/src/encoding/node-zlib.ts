/** Node's zlib; null in a browser. It is looked up at run time because a bundler for browsers cannot resolve the import. */
export const nodeZlib = globalThis.process?.getBuiltinModule?.("node:zlib") ?? null;

/** The maximum input and output of a synchronous call, in bytes: it blocks the thread for a few milliseconds. */
export const MAX_SYNC_BYTES = 256 * 1024;
