"use client";

import { useEffect, useState } from "react";
import { ApiCallError, type ApiProblem, query } from "@/lib/client/client";
import { useProblemTexts } from "@/lib/client/use-operation";
import type { ConfigurationDiff } from "@/lib/features/configuration/schema";

export type ComparedVersions = {
  environmentId: string;
  /** 0 is the configuration before the first version. */
  from: number | "current";
  to: number | "current";
};

/** The differences between two versions, with the previous ones until others have arrived. */
export function useConfigurationDiff({ environmentId, from, to }: ComparedVersions) {
  const withTexts = useProblemTexts();
  const [attempt, setAttempt] = useState(0);
  const [diff, setDiff] = useState<ConfigurationDiff | null>(null);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [pending, setPending] = useState(true);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt fetches again
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    setPending(true);
    query("apps/get-configuration-diff", { environmentId, from, to }, { signal }).then(
      (answer) => {
        if (signal.aborted) return;
        setDiff(answer);
        setProblem(null);
        setPending(false);
      },
      (error: unknown) => {
        if (signal.aborted) return;
        if (error instanceof ApiCallError) setProblem(withTexts(error.problem));
        setPending(false);
      },
    );
    return () => controller.abort();
  }, [environmentId, from, to, withTexts, attempt]);

  const retry = () => {
    setProblem(null);
    setAttempt((count) => count + 1);
  };
  return { diff, problem, pending, retry };
}
