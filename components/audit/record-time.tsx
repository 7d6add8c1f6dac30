import { useFormatter } from "next-intl";

/** The time of an audit record, to the second, in the user's language and time zone. */
export function RecordTime({ date }: { date: string }) {
  const format = useFormatter();
  return <time dateTime={date}>{format.dateTime(new Date(date), { dateStyle: "medium", timeStyle: "medium" })}</time>;
}
