import type { InputOf, OutputOf } from "@/lib/api/operation";
import type { operations } from "@/lib/operations";

/** The types of the operations, for the browser. The import is type-only, so it bundles no server code. */
type Operations = typeof operations;

export type OperationPath = keyof Operations & string;
export type OperationInput<P extends OperationPath> = InputOf<Operations[P]>;
export type OperationOutput<P extends OperationPath> = OutputOf<Operations[P]>;
