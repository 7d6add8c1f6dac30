import { useFormatter } from "next-intl";

export type DateTimeProps = {
  /** An instant: ISO 8601 text, milliseconds since the epoch, or a Date. */
  date: string | number | Date;
  /** Writes the time of day too. */
  withTime?: boolean;
  className?: string;
};

/** A date in the reader's language and time zone. */
export function DateTime({ date, withTime = false, className }: DateTimeProps) {
  const format = useFormatter();
  const instant = new Date(date);
  return (
    <time dateTime={instant.toISOString()} className={className}>
      {format.dateTime(instant, { dateStyle: "medium", ...(withTime && { timeStyle: "short" }) })}
    </time>
  );
}
