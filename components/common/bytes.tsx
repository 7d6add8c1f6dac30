import { useLocale } from "next-intl";
import { formatBytes } from "@/lib/kernel/format-bytes";

export type BytesProps = { value: number; className?: string };

/** A size in the user's language, with the exact number of bytes in its title. */
export function Bytes({ value, className }: BytesProps) {
  const locale = useLocale();
  return (
    <data
      value={value}
      title={new Intl.NumberFormat(locale, { style: "unit", unit: "byte", unitDisplay: "long" }).format(value)}
      className={className}
    >
      {formatBytes(value, locale)}
    </data>
  );
}
