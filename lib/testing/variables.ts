import type { Operation } from "@/lib/api/operation";
import type { VariableKind } from "@/lib/features/configuration/schema";
import { createDevelopmentVariable } from "@/lib/features/variables/operations/create-development-variable";
import { createSecureVariable } from "@/lib/features/variables/operations/create-secure-variable";
import { newId } from "@/lib/kernel/ids";
import { type Caller, send } from "./console";
import type { Sample } from "./sample";

/** Returns a key that no other entry has. */
export function aKey(): string {
  return `KEY_${newId().replaceAll("-", "")}`;
}

/**
 * Adds a variable to an environment.
 * @param caller for a secure variable, one who has passed a second factor
 * @returns the body of the response
 */
export async function aVariable(
  kind: VariableKind,
  caller: Caller,
  input: { environmentId: string; name?: string; key?: string; value?: string; status?: "active" | "inactive" },
) {
  const operation = kind === "dev-variable" ? createDevelopmentVariable : createSecureVariable;
  const answer = await send(operation, caller, { name: "A variable", key: aKey(), value: "a value", ...input });
  if (answer.status !== 201) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Returns a sample that calls an operation with the id of a new variable, and more. */
export function variableSample(kind: VariableKind, operation: Operation, more: Record<string, unknown> = {}): Sample {
  return {
    operation,
    input: () => ({ id: newId() }),
    arrange: async ({ environmentId, verifiedAdmin }, owner = verifiedAdmin) => {
      const { id } = await aVariable(kind, verifiedAdmin, { environmentId });
      return (sender = owner) => send(operation, sender, { id, ...more });
    },
  };
}
