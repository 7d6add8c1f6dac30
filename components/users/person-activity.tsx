import { useTranslations } from "next-intl";
import { HoverLink } from "@/components/common/hover-link";
import { RelativeTime } from "@/components/common/relative-time";
import { Card, CardTitle } from "@/components/ui/card";
import type { OperationOutput } from "@/lib/client/operation-types";
import { PAGES, pagePath } from "@/lib/kernel/navigation/pages";

export type PersonActivityProps = {
  userId: string;
  records: OperationOutput<"config/get-audit-logs">["items"];
};

/** What a user did last, as the audit log has it. */
export function PersonActivity({ userId, records }: PersonActivityProps) {
  const t = useTranslations("people.person.activity");
  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3 lg:px-5">
        <CardTitle>{t("title")}</CardTitle>
        {records.length > 0 && (
          <HoverLink
            href={pagePath(PAGES.adminLogs, { userId })}
            className="inline-flex min-h-6 items-center text-link hover:underline"
          >
            {t("all")}
          </HoverLink>
        )}
      </div>
      {records.length === 0 ? (
        <p className="px-4 pb-4 text-muted-foreground lg:px-5">{t("none")}</p>
      ) : (
        <ul aria-label={t("title")} className="divide-y divide-border border-border border-t">
          {records.map((record) => (
            <li key={record.id}>
              <HoverLink
                href={pagePath(PAGES.adminLogs, { userId, record: String(record.id) })}
                className="flex min-h-11 items-center justify-between gap-4 px-4 py-2 hover:bg-muted focus-visible:outline-offset-[-2px] lg:px-5"
              >
                <span className="min-w-0 break-words">
                  <span dir="auto">{record.sentence}</span>
                  {record.place && (
                    <span className="text-muted-foreground text-xs">
                      {" · "}
                      {record.place.app}
                      {record.place.environment !== null && ` › ${record.place.environment}`}
                    </span>
                  )}
                </span>
                <RelativeTime date={record.eventDate} className="shrink-0 text-muted-foreground text-xs" />
              </HoverLink>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
