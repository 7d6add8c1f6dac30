import type { z } from "zod";
import type { Operation } from "@/lib/api/operation";
import { type Answer, type Caller, send } from "./console";
import type { World } from "./world";

/** How a rightful caller uses an operation: what the law test sends as the positive control. */
export interface Sample {
  operation: Operation;
  /** An input with which the access checks are reached. */
  input(world: World): Record<string, unknown>;
  /**
   * Makes what the call needs, and gives the call itself.
   * @param owner whose things the call is about, where they are somebody's; the administrator, if it is not said
   * @returns the call, sent by the owner or by the given sender
   */
  arrange(world: World, owner?: Caller): Promise<(sender?: Caller) => Promise<Answer>>;
}

/** An operation that takes the given input. */
type Taking<Input> = Operation & { input: z.ZodType<unknown, Input> };

/** A sample whose call needs more than an input. */
export function customSample<Input>(
  operation: Taking<Input>,
  parts: { input(world: World): Partial<NoInfer<Input>>; arrange: Sample["arrange"] },
): Sample {
  return { operation, ...parts };
}

/** A sample that an actor sends as it stands: the administrator, if it is not said. */
export function simpleSample<Input>(
  operation: Taking<Input>,
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

/** As `simpleSample`, where the access depends on what the input names. */
export function targetedSample<Input>(
  operation: Taking<Input>,
  input: (world: World) => NoInfer<Input> & Record<string, unknown>,
): Sample {
  return { ...simpleSample(operation, input), input };
}
