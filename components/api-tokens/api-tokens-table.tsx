import { KeyRound } from "lucide-react";
import { useNow, useTranslations } from "next-intl";
import { DataTable } from "@/components/common/data-table/data-table";
import { ExportButton } from "@/components/common/data-table/export-button";
import { DateTime } from "@/components/common/date-time";
import { EmptyState } from "@/components/common/empty-state";
import { ScopeChips } from "@/components/common/permissions/scope-chips";
import { RelativeTime } from "@/components/common/relative-time";
import { Badge } from "@/components/ui/badge";
import type { OperationInput, OperationOutput } from "@/lib/client/operation-types";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { DAY_MS } from "@/lib/kernel/time";
import { CreateApiTokenPlace, CreateFirstApiTokenButton } from "./create-api-token-button";
import { DeleteApiTokenButton } from "./delete-api-token-button";
import { IdentifierBadge } from "./identifier-badge";

export type ApiTokensTableProps = OperationOutput<"config/get-api-tokens"> & {
  /** The filters and the order of the list, for its export. */
  input: OperationInput<"config/get-api-tokens">;
};

/** Number of identifiers that a row shows. */
const SHOWN_IDENTIFIERS = 2;
/** Number of scopes that a row shows. */
const SHOWN_SCOPES = 2;
/** A token is marked when it expires within this many days. */
const SOON_DAYS = 14;

/** The table of API tokens. The tokens themselves are never shown. */
export function ApiTokensTable({ items, input, ...page }: ApiTokensTableProps) {
  const t = useTranslations("apiTokens");
  const now = useNow().getTime();
  return (
    <CreateApiTokenPlace>
      <DataTable
        label={t("title")}
        rows={items}
        {...page}
        search={t("search")}
        defaultSort="-createdAt"
        toolbarEnd={<ExportButton path="config/get-api-tokens" input={input} total={page.total} />}
        columns={[
          {
            key: "name",
            header: t("name"),
            sort: "name",
            className: "lg:max-w-36 xl:max-w-64",
            cell: ({ name, prefix }) => (
              <span className="flex min-w-0 flex-col">
                <span title={name} className="truncate">
                  {name}
                </span>
                <span className="font-mono font-normal text-muted-foreground text-xs">{prefix}…</span>
              </span>
            ),
          },
          {
            key: "app",
            header: t("app"),
            sort: "app",
            className: "lg:max-w-28 xl:max-w-44",
            cell: ({ app }) => <Name>{app.name}</Name>,
          },
          {
            key: "environment",
            header: t("environment"),
            sort: "environment",
            className: "lg:max-w-28 xl:max-w-44",
            cell: ({ environment }) => <Name>{environment.name}</Name>,
          },
          {
            key: "identifiers",
            header: t("identifiers"),
            className: "lg:max-w-36 xl:max-w-64",
            cell: ({ identifiers }) => <IdentifierList identifiers={identifiers} />,
          },
          {
            key: "scopes",
            header: t("scopes"),
            hide: "narrow",
            className: "lg:max-w-72",
            cell: ({ scopes }) => <ScopeChips scopes={scopes} max={SHOWN_SCOPES} />,
          },
          {
            key: "validUntil",
            header: t("validUntil"),
            sort: "validUntil",
            phone: ({ validUntil }) => Date.parse(validUntil) - now < SOON_DAYS * DAY_MS,
            cell: ({ validUntil }) => <ValidUntil date={validUntil} />,
          },
          {
            key: "lastUsedAt",
            header: t("lastUsed"),
            sort: "lastUsedAt",
            hide: "narrow",
            className: "text-muted-foreground",
            cell: ({ lastUsedAt }) => (lastUsedAt ? <RelativeTime date={lastUsedAt} /> : t("neverUsed")),
          },
        ]}
        rowActions={({ id, name }) => <DeleteApiTokenButton id={id} name={name} />}
        empty={
          <EmptyState
            icon={<KeyRound />}
            title={t("empty.title")}
            description={t("empty.description")}
            action={<CreateFirstApiTokenButton />}
            docs={`${PAGES.docs}/ci#create-a-token`}
          />
        }
      />
    </CreateApiTokenPlace>
  );
}

/** A name on one line of the table, with the full text in its title. */
function Name({ children }: { children: string }) {
  return (
    <span title={children} className="block break-words lg:truncate">
      {children}
    </span>
  );
}

function IdentifierList({ identifiers }: { identifiers: readonly string[] }) {
  const t = useTranslations("apiTokens");
  const more = identifiers.length - SHOWN_IDENTIFIERS;
  return (
    <span className="flex min-w-0 flex-wrap gap-1">
      {identifiers.slice(0, SHOWN_IDENTIFIERS).map((identifier) => (
        <IdentifierBadge key={identifier} identifier={identifier} />
      ))}
      {more > 0 && (
        <Badge tone="outline" title={identifiers.slice(SHOWN_IDENTIFIERS).join("\n")}>
          {t("moreIdentifiers", { count: more })}
        </Badge>
      )}
    </span>
  );
}

function ValidUntil({ date }: { date: string }) {
  const t = useTranslations("apiTokens");
  const remainingMs = new Date(date).getTime() - useNow().getTime();
  return (
    <span className="flex gap-1.5 max-lg:flex-col max-lg:items-end max-lg:gap-0.5 lg:flex-wrap lg:items-center">
      <DateTime date={date} />
      {remainingMs <= 0 ? (
        <Badge tone="danger">{t("expired")}</Badge>
      ) : remainingMs < SOON_DAYS * DAY_MS ? (
        <Badge tone="warning">{t("endsSoon")}</Badge>
      ) : null}
    </span>
  );
}
