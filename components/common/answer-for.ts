import { useCallback, useState } from "react";

/** An answer with the input that it is about. */
type KeptAnswer<Answer> = { input: string; answer: Answer };

/** The kept answer if it is about an input; otherwise null. */
export function answerFor<Answer>(kept: KeptAnswer<Answer> | null, input: unknown): Answer | null {
  return kept?.input === JSON.stringify(input) ? kept.answer : null;
}

/**
 * Keeps what the console answered about an input, such as the preview of an import. It is valid only for the input that
 * was sent: an answer that arrives after a change is not shown, so that only previewed changes are made.
 * @returns the answer for the input, or null; and a function that keeps an answer for the input of this render, or
 *   drops it
 */
export function useAnswerFor<Answer>(input: unknown): [Answer | null, (answer: Answer | null) => void] {
  const [kept, setKept] = useState<KeptAnswer<Answer> | null>(null);
  const sent = JSON.stringify(input);
  const keep = useCallback(
    (answer: Answer | null) => setKept(answer === null ? null : { input: sent, answer }),
    [sent],
  );
  return [answerFor(kept, input), keep];
}
