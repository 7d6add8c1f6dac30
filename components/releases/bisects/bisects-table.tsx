import { Split } from "lucide-react";
import { useTranslations } from "next-intl";
import { createdAtColumn } from "@/components/common/data-table/created-at-column";
import { DataTable } from "@/components/common/data-table/data-table";
import { EmptyState } from "@/components/common/empty-state";
import { RelativeTime } from "@/components/common/relative-time";
import { releaseName } from "@/components/common/releases/release-name";
import { Badge } from "@/components/ui/badge";
import type { OperationOutput } from "@/lib/client/operation-types";
import type { OwnBisect } from "@/lib/features/bisects/schema";
import { bisectPath, PAGES } from "@/lib/kernel/navigation/pages";
import { BisectMenu } from "./bisect-menu";

const nameOf = ({ good, bad }: OwnBisect) => `${releaseName(good)} – ${releaseName(bad)}`;

/** The table of one's own searches for builds that brought faults. */
export function BisectsTable({ items, ...page }: OperationOutput<"apps/get-own-bisects">) {
  const t = useTranslations("bisects");
  return (
    <DataTable
      label={t("mine")}
      rows={items}
      rowHref={({ id }) => bisectPath(id)}
      {...page}
      search={false}
      defaultSort="-updatedAt"
      columns={[
        { key: "builds", header: t("builds"), className: "lg:max-w-96", cell: (item) => <Name {...item} /> },
        { key: "state", header: t("state"), phone: "fact", cell: (item) => <State {...item} /> },
        {
          key: "updatedAt",
          header: t("lastAnswer"),
          sort: "updatedAt",
          className: "text-muted-foreground",
          cell: ({ updatedAt }) => <RelativeTime date={updatedAt} />,
        },
        createdAtColumn(t("begun"), "narrow"),
      ]}
      rowActions={(item) => <BisectMenu id={item.id} name={nameOf(item)} />}
      empty={
        <EmptyState
          icon={<Split />}
          title={t("empty")}
          description={t("emptyDescription", { action: t("title") })}
          docs={`${PAGES.docs}/bisect`}
        />
      }
    />
  );
}

function Name(item: OwnBisect) {
  const { app, environment, platform } = item;
  const [name, below] = [nameOf(item), `${app.name} · ${environment.name} · ${platform.name}`];
  return (
    <span className="flex min-w-0 flex-col">
      <span title={name} className="truncate tabular-nums">
        {name}
      </span>
      <span title={below} className="truncate font-normal text-muted-foreground text-xs">
        {below}
      </span>
    </span>
  );
}

function State({ done, remaining, stepsLeft, bad }: OwnBisect) {
  const t = useTranslations("bisects");
  if (!done) return <Badge tone="info">{t("steps", { count: stepsLeft })}</Badge>;
  if (remaining > 0) return <Badge tone="warning">{t("onlySkipped")}</Badge>;
  return <Badge tone="success">{t("found", { name: releaseName(bad) })}</Badge>;
}
