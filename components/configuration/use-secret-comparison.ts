"use client";

import { useState } from "react";
import { useOperation } from "@/lib/client/use-operation";
import type { EntryKind } from "@/lib/features/configuration/schema";
import type { ComparedPlace } from "./comparison-places";

type SecretComparison = {
  /** Whether the values of a key differ, of the keys that were compared. */
  differs: ReadonlyMap<string, boolean>;
  pending: boolean;
  /** Whether the user has the rights: a comparison is the dry run of a copy to one of the two environments. */
  canCompare: boolean;
  /** Compares the values of keys that both environments have. */
  compare: (keys: readonly string[]) => Promise<void>;
  /** Notes that the values of some keys are the same now. */
  markSame: (keys: readonly string[]) => void;
};

/** Tells which secret values of two environments differ, without showing them. */
export function useSecretComparison({
  kind,
  from,
  to,
}: {
  kind: EntryKind;
  from: ComparedPlace;
  to: ComparedPlace;
}): SecretComparison {
  const { run, pending } = useOperation("apps/copy-variables");
  const pair = `${kind} ${from.id} ${to.id}`;
  const [found, setFound] = useState<{ pair: string; differs: ReadonlyMap<string, boolean> }>({
    pair,
    differs: new Map(),
  });
  const differs = found.pair === pair ? found.differs : new Map<string, boolean>();
  const [source, target] = to.canWrite ? [from, to] : [to, from];

  const note = (entries: readonly (readonly [string, boolean])[]) =>
    setFound({ pair, differs: new Map([...differs, ...entries]) });

  const compare = async (keys: readonly string[]) => {
    const input = { fromEnvironmentId: source.id, toEnvironmentId: target.id, kind, keys: [...keys], dryRun: true };
    const result = await run(input);
    if (!result.ok) return;
    const changed = new Set(result.data.changes.map(({ key }) => key));
    note(keys.map((key) => [key, changed.has(key)] as const));
  };

  return {
    differs,
    pending,
    canCompare: from.canWrite || to.canWrite,
    compare,
    markSame: (keys) => {
      if (kind === "secure-variable") note(keys.map((key) => [key, false] as const));
    },
  };
}
