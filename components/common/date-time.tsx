import { useFormatter } from "next-intl";

export type DateTimeProps = {
  /** A time: ISO 8601 text, milliseconds since the epoch, or a Date. */
  date: string | number | Date;
  /** Adds the time of day. */
  withTime?: boolean;
};

/** A date in the user's language and time zone. */
export function DateTime({ date, withTime = false }: DateTimeProps) {
  const format = useFormatter();
  const instant = new Date(date);
  return (
    <time dateTime={instant.toISOString()}>
      {format.dateTime(instant, { dateStyle: "medium", ...(withTime && { timeStyle: "short" }) })}
    </time>
  );
}
