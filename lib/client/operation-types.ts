import type { InputOf, OutputOf } from "@/lib/api/operation";
import type { operations } from "@/lib/operations";

/** The operations' types alone, for the browser: nothing of their code comes along. */
type Operations = typeof operations;

export type OperationPath = keyof Operations & string;
export type OperationInput<P extends OperationPath> = InputOf<Operations[P]>;
export type OperationOutput<P extends OperationPath> = OutputOf<Operations[P]>;
