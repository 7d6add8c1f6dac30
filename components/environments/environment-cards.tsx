import { Braces, FileKey2, KeyRound, Layers, PackageOpen } from "lucide-react";
import { useTranslations } from "next-intl";
import { DataTableEmpty } from "@/components/common/data-table/data-table-empty";
import { DataTableFrame } from "@/components/common/data-table/data-table-frame";
import { DataTablePagination, DataTableToolbar } from "@/components/common/data-table/parts-on-demand";
import { EmptyState } from "@/components/common/empty-state";
import { LinkButton } from "@/components/common/link-button";
import { configurationPaths, releasePaths } from "@/components/common/navigation/paths";
import { StatusBadge } from "@/components/common/status-badge";
import { Card, CardContent, CardFooter, CardHeader, CardTitle } from "@/components/ui/card";
import { cn } from "@/components/ui/cn";
import type { OperationOutput } from "@/lib/client/operation-types";
import type { Release } from "@/lib/features/releases/schema";
import { ConfigurationLine } from "./configuration-line";
import { CreateEnvironmentButton, UpdateEnvironmentButton } from "./environment-actions";
import { ReleaseLine } from "./release-line";

type EnvironmentList = OperationOutput<"apps/get-app-environments">;

export type EnvironmentCardsProps = EnvironmentList & {
  app: Pick<OperationOutput<"apps/get-app">, "id" | "scopes">;
  /** The latest release of each platform in each environment. */
  newest: readonly Release[];
  /** Adds a search field, for long lists. */
  searchable: boolean;
};

/** The environments to choose from, each with its latest releases and the links that the user's scopes allow. */
export function EnvironmentCards({ app, items, total, nextCursor, newest, searchable }: EnvironmentCardsProps) {
  const t = useTranslations("environments");
  const canCreate = app.scopes.includes("environment:write");
  return (
    <DataTableFrame
      toolbar={
        <DataTableToolbar
          search={searchable ? t("search") : false}
          filters={[]}
          sorts={[]}
          isEmpty={items.length === 0}
        />
      }
    >
      {items.length === 0 ? (
        <DataTableEmpty filterKeys={["search"]}>
          <EmptyState
            icon={<Layers />}
            title={t("empty.title")}
            description={t(canCreate ? "empty.description" : "empty.askAdmin")}
            action={canCreate ? <CreateEnvironmentButton appId={app.id} /> : undefined}
          />
        </DataTableEmpty>
      ) : (
        <>
          <ul aria-label={t("title")} className={cn("grid gap-4 md:grid-cols-2", columnsFor(items.length))}>
            {items.map((environment) => (
              <li key={environment.id} className="flex min-w-0 flex-col">
                <EnvironmentCard
                  environment={environment}
                  releases={newest.filter((release) => release.environment.id === environment.id)}
                />
              </li>
            ))}
          </ul>
          {items.length < total && <DataTablePagination total={total} nextCursor={nextCursor} />}
        </>
      )}
    </DataTableFrame>
  );
}

/** Three columns on large screens, unless that leaves one card alone in the last row and two do not. */
const columnsFor = (count: number) => (count % 3 === 1 && count % 2 === 0 ? undefined : "xl:grid-cols-3");

type EnvironmentCardProps = { environment: EnvironmentList["items"][number]; releases: readonly Release[] };

function EnvironmentCard({ environment, releases }: EnvironmentCardProps) {
  const t = useTranslations("environments");
  const { name, status, scopes } = environment;
  const variables = useTranslations("variables.title");
  const certificates = useTranslations("certificates");
  const { view, manage } = releasePaths(environment.appId, environment);
  const paths = configurationPaths(environment.appId, environment, false);
  const configuration = [
    { kind: variables("dev-variable"), icon: <Braces />, href: paths.development },
    { kind: variables("secure-variable"), icon: <KeyRound />, href: paths.secure },
    { kind: certificates("title"), icon: <FileKey2 />, href: paths.certificates },
  ].flatMap(({ href, ...link }) => (href === null ? [] : [{ ...link, href }]));
  return (
    <Card className="flex-1">
      <CardHeader className="flex-row items-center justify-between gap-3">
        <CardTitle className="min-w-0 break-words">{name}</CardTitle>
        <span className="flex shrink-0 items-center gap-2">
          <StatusBadge status={status} />
          {scopes.includes("environment:write") && <UpdateEnvironmentButton environment={environment} />}
        </span>
      </CardHeader>
      <CardContent className="gap-1 pt-2 pb-3">
        {releases.length > 0 ? (
          releases.map((release) => <ReleaseLine key={release.id} release={release} />)
        ) : (
          <p className="flex items-center gap-2 py-2 text-muted-foreground">
            <PackageOpen aria-hidden className="size-4 shrink-0" />
            {t(scopes.includes("release:read") ? "noReleases" : "hiddenReleases")}
          </p>
        )}
      </CardContent>
      {configuration.length > 0 && (
        <CardContent className="gap-0 border-border border-t pt-2 pb-2">
          {configuration.map(({ kind, icon, href }) => (
            <ConfigurationLine
              key={kind}
              href={href}
              icon={icon}
              title={kind}
              label={t("variables.of", { kind, name })}
            />
          ))}
        </CardContent>
      )}
      {(view || manage) && (
        <CardFooter className="flex-wrap">
          {view && (
            <LinkButton href={view} variant="secondary" prefetch={false} aria-label={t("viewReleasesOf", { name })}>
              {t("viewReleases")}
            </LinkButton>
          )}
          {manage && (
            <LinkButton href={manage} variant="ghost" prefetch={false} aria-label={t("manageReleasesOf", { name })}>
              {t("manageReleases")}
            </LinkButton>
          )}
        </CardFooter>
      )}
    </Card>
  );
}
