import { Webhook as WebhookIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { createdAtColumn } from "@/components/common/data-table/created-at-column";
import { DataTable } from "@/components/common/data-table/data-table";
import { useStatusFilter } from "@/components/common/data-table/status";
import { EmptyState } from "@/components/common/empty-state";
import { StatusBadge } from "@/components/common/status-badge";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import type { OperationOutput } from "@/lib/client/operation-types";
import type { Webhook } from "@/lib/features/webhooks/schema";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { CreateFirstWebhookButton, CreateWebhookPlace, WebhookMenu } from "./webhook-actions";

/** Number of events that a row shows. */
const SHOWN_EVENTS = 2;

/** The table of webhooks. Their secrets are never shown. */
export function WebhooksTable({ items, ...page }: OperationOutput<"webhooks/get-webhooks">) {
  const t = useTranslations("webhooks");
  const statusFilter = useStatusFilter("masculine");
  return (
    <CreateWebhookPlace>
      <DataTable
        label={t("title")}
        rows={items}
        {...page}
        search={t("search")}
        defaultSort="-createdAt"
        filters={[statusFilter]}
        columns={[
          {
            key: "name",
            header: t("name"),
            sort: "name",
            className: "lg:max-w-72",
            cell: ({ name, url }) => (
              <span className="flex min-w-0 flex-col">
                <span title={name} className="truncate">
                  {name}
                </span>
                <span className="truncate font-mono font-normal text-muted-foreground text-xs">
                  {new URL(url).host}
                </span>
              </span>
            ),
          },
          {
            key: "events",
            header: t("events"),
            className: "lg:max-w-80",
            cell: (webhook) => <EventList {...webhook} />,
          },
          { key: "format", header: t("format"), hide: "narrow", cell: ({ format }) => t(`formats.${format}`) },
          {
            key: "status",
            header: t("status"),
            phone: ({ status, failingSince }) => status !== "active" || failingSince !== null,
            cell: (webhook) => <State {...webhook} />,
          },
          createdAtColumn(t("createdAt"), "narrow"),
        ]}
        rowActions={(webhook) => <WebhookMenu webhook={webhook} />}
        empty={
          <EmptyState
            icon={<WebhookIcon />}
            title={t("empty.title")}
            description={t("empty.description")}
            action={<CreateFirstWebhookButton />}
            docs={`${PAGES.docs}/webhooks`}
          />
        }
      />
    </CreateWebhookPlace>
  );
}

function EventList({ events }: Pick<Webhook, "events">) {
  const t = useTranslations("webhooks");
  const more = events.length - SHOWN_EVENTS;
  return (
    <span className="flex min-w-0 flex-wrap gap-1">
      {events.slice(0, SHOWN_EVENTS).map((event) => (
        <Badge key={event} tone="outline" className="font-mono">
          {event}
        </Badge>
      ))}
      {more > 0 && (
        <Badge tone="outline" title={events.slice(SHOWN_EVENTS).join("\n")}>
          {t("moreEvents", { count: more })}
        </Badge>
      )}
    </span>
  );
}

function State({ status, failingSince, disabledAt }: Pick<Webhook, "status" | "failingSince" | "disabledAt">) {
  const t = useTranslations("webhooks");
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      {/* Phones have room for the one that matters more. */}
      <span className={cn("contents", (disabledAt ?? failingSince) && "max-lg:not-in-data-open:hidden")}>
        <StatusBadge status={status} />
      </span>
      {disabledAt ? (
        <Badge tone="danger">{t("disabled")}</Badge>
      ) : failingSince ? (
        <Badge tone="warning">{t("failing")}</Badge>
      ) : null}
    </span>
  );
}
