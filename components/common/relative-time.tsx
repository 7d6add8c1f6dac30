"use client";

import { useFormatter, useNow } from "next-intl";
import { useSyncExternalStore } from "react";

export type RelativeTimeProps = {
  /** An instant: ISO 8601 text, milliseconds since the epoch, or a Date. */
  date: string | number | Date;
  className?: string;
};

const MINUTE_MS = 60_000;

/** How long ago or how far ahead an instant is, kept up to date; the exact time is in its title. */
export function RelativeTime({ date, className }: RelativeTimeProps) {
  const format = useFormatter();
  const now = useMinute();
  const instant = new Date(date);
  return (
    <time
      dateTime={instant.toISOString()}
      title={format.dateTime(instant, { dateStyle: "full", timeStyle: "short" })}
      className={className}
    >
      {format.relativeTime(instant, reference(instant, now))}
    </time>
  );
}

/** The present that an instant is told from: it is known to the minute, and what has just happened is not ahead of it. */
function reference(instant: Date, now: number): number {
  const ahead = instant.getTime() - now;
  return ahead > 0 && ahead <= MINUTE_MS ? instant.getTime() : now;
}

const listeners = new Set<() => void>();
let timer: number | undefined;
let current = 0;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= window.setInterval(() => {
    current = Date.now();
    for (const notifyListener of listeners) notifyListener();
  }, MINUTE_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      window.clearInterval(timer);
      timer = undefined;
    }
  };
}

function currentMinute(): number {
  if (Date.now() - current > MINUTE_MS) current = Date.now();
  return current;
}

/** The present, to the minute. While the page hydrates it is the server's, so that both write the same text. */
function useMinute(): number {
  const rendered = useNow().getTime();
  return useSyncExternalStore(subscribe, currentMinute, () => rendered);
}
