import { useFormatter } from "next-intl";

/** The time of an audit record, to the second, in the user's language and time zone. */
export function RecordTime({ date }: { date: string }) {
  const format = useFormatter();
  return <time dateTime={date}>{format.dateTime(new Date(date), { dateStyle: "medium", timeStyle: "medium" })}</time>;
}

/** The same in two lines, the day and the time of day. */
export function RecordTimeLines({ date }: { date: string }) {
  const format = useFormatter();
  const instant = new Date(date);
  return (
    <time dateTime={date} className="flex flex-col whitespace-nowrap">
      <span>{format.dateTime(instant, { dateStyle: "medium" })}</span>
      <span className="text-muted-foreground text-xs">{format.dateTime(instant, { timeStyle: "medium" })}</span>
    </time>
  );
}
