"use client";

import { useFormatter, useNow } from "next-intl";
import { useSyncExternalStore } from "react";
import { MINUTE_MS } from "@/lib/kernel/time";
import { useRelativeFormat } from "./relative-format";

export type RelativeTimeProps = {
  /** A time: ISO 8601 text, milliseconds since the epoch, or a Date. */
  date: string | number | Date;
  className?: string;
};

/** The time relative to now, kept up to date, with the exact time in its title. */
export function RelativeTime({ date, className }: RelativeTimeProps) {
  const format = useFormatter();
  const relative = useRelativeFormat();
  const now = useMinute();
  const instant = new Date(date);
  return (
    <time
      dateTime={instant.toISOString()}
      title={format.dateTime(instant, { dateStyle: "full", timeStyle: "short" })}
      className={className}
    >
      {relative(instant, reference(instant, now))}
    </time>
  );
}

/**
 * The reference time, with a resolution of a minute. A time that has just passed must not appear to be in the future.
 */
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

/**
 * The current time with a resolution of a minute. During hydration it is the server's, so that both render the same
 * text.
 */
function useMinute(): number {
  const rendered = useNow().getTime();
  return useSyncExternalStore(subscribe, currentMinute, () => rendered);
}
