"use client";

import { type Dispatch, type SetStateAction, useCallback, useEffect, useState } from "react";
import { query } from "@/lib/client/client";
import type { OperationInput, OperationOutput, OperationPath } from "@/lib/client/operation-types";

/** What a query answered; null while it is asked, "failed" if it was not answered. */
export type Answer<P extends OperationPath> = OperationOutput<P> | "failed" | null;

type AskedAnswer<P extends OperationPath> = {
  answer: Answer<P>;
  /** Puts another answer in its place, after a command that changed it. */
  setAnswer: Dispatch<SetStateAction<Answer<P>>>;
  retry: () => void;
};

/** Asks a query when the component is mounted, and again when the input is another one. */
export function useAnswer<P extends OperationPath>(path: P, input: OperationInput<P>): AskedAnswer<P> {
  const [answer, setAnswer] = useState<Answer<P>>(null);
  const [attempt, setAttempt] = useState(0);
  const key = JSON.stringify(input);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` has the input, and another attempt asks again
  useEffect(() => {
    const controller = new AbortController();
    setAnswer(null);
    query(path, input, { signal: controller.signal }).then(
      setAnswer,
      () => controller.signal.aborted || setAnswer("failed"),
    );
    return () => controller.abort();
  }, [path, key, attempt]);
  const retry = useCallback(() => setAttempt((current) => current + 1), []);
  return { answer, setAnswer, retry };
}
