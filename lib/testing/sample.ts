import type { z } from "zod";
import type { Operation } from "@/lib/api/operation";
import { type Answer, type Caller, send } from "./console";
import type { World } from "./world";

/** A valid call of an operation, which the contract tests use as positive control. */
export interface Sample {
  operation: Operation;
  /** Returns an input that reaches the access checks. */
  input(world: World): Record<string, unknown>;
  /**
   * Creates the data that the call needs.
   * @param owner the owner of that data, if it belongs to a user; by default, the administrator
   * @returns a function that sends the call as the given sender; by default, as the owner
   */
  arrange(world: World, owner?: Caller): Promise<(sender?: Caller) => Promise<Answer>>;
}

/** An operation with the given input. */
type OperationWithInput<Input> = Operation & { input: z.ZodType<unknown, Input> };

/** Returns a sample whose call needs more than an input. */
export function customSample<Input>(
  operation: OperationWithInput<Input>,
  parts: { input(world: World): Partial<NoInfer<Input>>; arrange: Sample["arrange"] },
): Sample {
  return { operation, ...parts };
}

/** Returns a sample that sends an input as the given caller; by default, as the administrator. */
export function simpleSample<Input>(
  operation: OperationWithInput<Input>,
  input: (world: World) => Promise<NoInfer<Input>> | NoInfer<Input>,
  as: (world: World) => Caller = (world) => world.admin,
): Sample {
  return {
    operation,
    input: () => ({}),
    arrange: async (world, owner = as(world)) => {
      const given = (await input(world)) as Record<string, unknown>;
      return (sender = owner) => send(operation, sender, given);
    },
  };
}

/** Like `simpleSample`, for an operation whose access depends on its input. */
export function targetedSample<Input>(
  operation: OperationWithInput<Input>,
  input: (world: World) => NoInfer<Input> & Record<string, unknown>,
  as?: (world: World) => Caller,
): Sample {
  return { ...simpleSample(operation, input, as), input };
}
