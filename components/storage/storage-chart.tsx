import { useTranslations } from "next-intl";
import { Bytes } from "@/components/common/bytes";
import { cn } from "@/components/ui/cn";
import type { Storage } from "@/lib/features/retention/schema";
import { STORAGE_KINDS } from "./kinds";

/** How many applications the chart has; the table has the others. */
const SHOWN_APPS = 10;
/** Pixels. */
const HEIGHT = 14;

/** What the largest applications take, as bars that are as long as their share of the largest one. The table says the numbers. */
export function StorageChart({ apps }: Pick<Storage, "apps">) {
  const t = useTranslations("storage");
  const largest = Math.max(1, ...apps.map(({ total }) => total));
  const kinds = STORAGE_KINDS.filter(({ kind }) => apps.some(({ bytes }) => bytes[kind] > 0));
  return (
    <figure className="flex flex-col gap-4">
      <figcaption className="flex flex-wrap gap-x-4 gap-y-1.5 text-muted-foreground text-xs leading-4.5">
        {kinds.map(({ kind, swatch }) => (
          <span key={kind} className="inline-flex items-center gap-1.5">
            <span aria-hidden className={cn("size-2.5 rounded-xs", swatch)} />
            {t(`kinds.${kind}`)}
          </span>
        ))}
      </figcaption>
      <ul className="flex flex-col gap-3">
        {apps.slice(0, SHOWN_APPS).map(({ app, bytes, total }) => (
          <li key={app.id} className="flex flex-col gap-1">
            <span className="flex items-baseline justify-between gap-4">
              <span className="min-w-0 truncate font-medium">{app.name}</span>
              <Bytes value={total} className="shrink-0 tabular-nums" />
            </span>
            <Bar bytes={bytes} largest={largest} />
          </li>
        ))}
      </ul>
    </figure>
  );
}

function Bar({ bytes, largest }: { bytes: Storage["all"]["bytes"]; largest: number }) {
  let x = 0;
  return (
    <svg aria-hidden width="100%" height={HEIGHT}>
      <rect width="100%" height={HEIGHT} rx="3" className="fill-muted" />
      {STORAGE_KINDS.map(({ kind, fill }) => {
        const width = (100 * bytes[kind]) / largest;
        const from = x;
        x += width;
        return width > 0 && <rect key={kind} x={`${from}%`} width={`${width}%`} height={HEIGHT} className={fill} />;
      })}
    </svg>
  );
}
