import { useTranslations } from "next-intl";
import { DateTime } from "@/components/common/date-time";
import { Facts } from "@/components/common/facts";
import { StatusBadge } from "@/components/common/status-badge";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import type { OperationOutput } from "@/lib/client/operation-types";
import { Copyable, copyable } from "./copyable";

export type EnvironmentFactsProps = { environment: OperationOutput<"apps/get-environment-app"> };

/** The name, the status and the identifiers of an environment, for copying. */
export function EnvironmentFacts({ environment }: EnvironmentFactsProps) {
  const t = useTranslations("environments");
  const { id, app, name, status, identifiers, createdAt } = environment;
  return (
    <Card className="max-w-3xl">
      <CardHeader>
        <CardTitle>{t("details")}</CardTitle>
      </CardHeader>
      <CardContent>
        <Facts
          long
          items={[
            copyable(t("name"), name),
            { label: t("status"), value: <StatusBadge status={status} /> },
            copyable(t("appIdentifier"), app.identifier),
            {
              label: t("identifiers"),
              value:
                identifiers.length === 0
                  ? t("noIdentifiers")
                  : identifiers.map((identifier) => (
                      <Copyable key={identifier} label={t("identifiers")} value={identifier} />
                    )),
            },
            copyable(t("configuration.environmentId"), id),
            { label: t("createdAt"), value: <DateTime date={createdAt} /> },
          ]}
        />
      </CardContent>
    </Card>
  );
}
