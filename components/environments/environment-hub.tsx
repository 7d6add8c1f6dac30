import { useTranslations } from "next-intl";
import { CodeBlock } from "@/components/common/code-block";
import { DateTime } from "@/components/common/date-time";
import { Facts } from "@/components/common/facts";
import { LinkButton } from "@/components/common/link-button";
import { Card, CardContent, CardDescription, CardFooter, CardHeader, CardTitle } from "@/components/ui/card";
import type { OperationOutput } from "@/lib/client/operation-types";
import type { Release } from "@/lib/features/releases/schema";
import { contextPath, PAGES, TOKENS_PATH } from "@/lib/kernel/navigation/pages";
import { ConfigurationButtons } from "./environment-actions";
import { ReleaseLine } from "./release-line";
import { TokenHint } from "./token-hint";
import { type VariableCounts, VariablesCard } from "./variables-card";

export type EnvironmentHubProps = {
  environment: OperationOutput<"apps/get-environment-app">;
  /** The latest release of each platform. */
  newest: readonly Release[];
  variableCounts: VariableCounts;
};

/** The overview of an environment for administrators, with a card for each section. */
export function EnvironmentHub({ environment, newest, variableCounts }: EnvironmentHubProps) {
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-4">
        <ReleasesCard environment={environment} newest={newest} />
        <VariablesCard environment={environment} counts={variableCounts} />
        <ConnectCard environment={environment} />
        <DetailsCard environment={environment} />
      </div>
      <CiCard command={environment.configuration.cli.curl} />
    </div>
  );
}

function ReleasesCard({ environment, newest }: Pick<EnvironmentHubProps, "environment" | "newest">) {
  const t = useTranslations("environments");
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("releases")}</CardTitle>
        <CardDescription>{t(newest.length > 0 ? "releasesDescription" : "publishFirst")}</CardDescription>
      </CardHeader>
      <CardContent className="gap-1 pt-2 pb-3">
        {newest.length > 0 ? (
          newest.map((release) => <ReleaseLine key={release.id} release={release} />)
        ) : (
          <p className="text-muted-foreground">{t("noReleases")}</p>
        )}
      </CardContent>
      <CardFooter>
        <LinkButton href={contextPath(PAGES.adminReleases, environment.appId, environment.id)}>
          {t("manageReleases")}
        </LinkButton>
      </CardFooter>
    </Card>
  );
}

function CiCard({ command }: { command: string }) {
  const t = useTranslations("environments.ci");
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("title")}</CardTitle>
        <CardDescription>{t("description")}</CardDescription>
      </CardHeader>
      <CardContent>
        <CodeBlock label={t("command")} code={command} />
        <p className="text-pretty text-muted-foreground leading-5">
          {t.rich("variables", { code: (text) => <code className="font-mono text-foreground">{text}</code> })}
        </p>
        <TokenHint kind="server" tokensHref={TOKENS_PATH} />
      </CardContent>
    </Card>
  );
}

function ConnectCard({ environment: { id, name } }: Pick<EnvironmentHubProps, "environment">) {
  const t = useTranslations("environments.connect");
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("title")}</CardTitle>
        <CardDescription>{t("description")}</CardDescription>
      </CardHeader>
      <CardContent className="flex-row flex-wrap gap-2">
        <ConfigurationButtons environment={{ id, name }} tokensHref={TOKENS_PATH} />
      </CardContent>
    </Card>
  );
}

function DetailsCard({ environment }: Pick<EnvironmentHubProps, "environment">) {
  const t = useTranslations("environments");
  const { app, identifiers, createdAt } = environment;
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("details")}</CardTitle>
      </CardHeader>
      <CardContent>
        <Facts
          items={[
            { label: t("appIdentifier"), value: <code className="break-all font-mono">{app.identifier}</code> },
            {
              label: t("identifiers"),
              value:
                identifiers.length === 0 ? (
                  t("noIdentifiers")
                ) : (
                  <ul className="flex flex-col gap-1">
                    {identifiers.map((identifier) => (
                      <li key={identifier}>
                        <code className="break-all font-mono">{identifier}</code>
                      </li>
                    ))}
                  </ul>
                ),
            },
            { label: t("createdAt"), value: <DateTime date={createdAt} /> },
          ]}
        />
      </CardContent>
    </Card>
  );
}
