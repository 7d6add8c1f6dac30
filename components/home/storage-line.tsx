import { useTranslations } from "next-intl";
import { Bytes } from "@/components/common/bytes";
import type { Dashboard } from "@/lib/features/dashboard/schema";

/** The size of all files, and what uploads may still use, if the store tells. */
export function StorageLine({ usedBytes, freeBytes }: Dashboard["storage"]) {
  const t = useTranslations("dashboard.storage");
  const share = freeBytes === null ? null : (100 * usedBytes) / Math.max(1, usedBytes + freeBytes);
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-baseline justify-between gap-4">
        <span className="font-medium">{t("title")}</span>
        <Bytes value={usedBytes} className="font-semibold text-lg tabular-nums leading-6 tracking-tight" />
      </div>
      {freeBytes !== null && share !== null && (
        <>
          <svg aria-hidden width="100%" height="6">
            <rect width="100%" height="6" rx="3" className="fill-muted" />
            <rect width={`${share}%`} height="6" rx="3" className="fill-primary" />
          </svg>
          <p className="text-muted-foreground text-xs leading-4.5">
            {t.rich("free", { bytes: () => <Bytes value={freeBytes} /> })}
          </p>
        </>
      )}
    </div>
  );
}
