import { CloudCheck, Fingerprint, Smartphone } from "lucide-react";
import { useTranslations } from "next-intl";
import { DataTable } from "@/components/common/data-table/data-table";
import { DateTime } from "@/components/common/date-time";
import { EmptyState } from "@/components/common/empty-state";
import { RelativeTime } from "@/components/common/relative-time";
import { Badge } from "@/components/ui/badge";
import type { Passkey } from "@/lib/features/passkeys/schema";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { DeletePasskeyButton } from "./delete-passkey-button";

/** The user's own passkeys. */
export function PasskeysTable({ items }: { items: readonly Passkey[] }) {
  const t = useTranslations("passkeys");
  return (
    <DataTable
      label={t("title")}
      rows={items}
      total={items.length}
      nextCursor={null}
      search={false}
      columns={[
        { key: "name", header: t("name"), cell: ({ registrant }) => registrant },
        { key: "createdAt", header: t("created"), cell: ({ createdAt }) => <DateTime date={createdAt} /> },
        {
          key: "lastUsedAt",
          header: t("lastUsed"),
          phone: "fact",
          className: "text-muted-foreground",
          cell: ({ lastUsedAt }) => (lastUsedAt ? <RelativeTime date={lastUsedAt} /> : t("neverUsed")),
        },
        { key: "backedUp", header: t("copies"), cell: ({ backedUp }) => <CopiesBadge backedUp={backedUp} /> },
      ]}
      rowActions={({ id, registrant }) => <DeletePasskeyButton id={id} name={registrant} />}
      empty={
        <EmptyState
          icon={<Fingerprint />}
          title={t("empty.title")}
          description={t("empty.description")}
          docs={`${PAGES.docs}/passkeys`}
        />
      }
    />
  );
}

function CopiesBadge({ backedUp }: { backedUp: boolean }) {
  const t = useTranslations("passkeys");
  return backedUp ? (
    <Badge tone="success">
      <CloudCheck aria-hidden />
      {t("backedUp")}
    </Badge>
  ) : (
    <Badge tone="outline">
      <Smartphone aria-hidden />
      {t("oneDevice")}
    </Badge>
  );
}
