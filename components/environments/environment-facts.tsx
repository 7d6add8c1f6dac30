import { useTranslations } from "next-intl";
import { DateTime } from "@/components/common/date-time";
import { type Fact, Facts } from "@/components/common/facts";
import { StatusBadge } from "@/components/common/status-badge";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import type { OperationOutput } from "@/lib/client/operation-types";
import { Copyable, copyable } from "./copyable";

export type EnvironmentFactsProps = {
  environment: OperationOutput<"apps/get-environment-app">;
  /** Leaves out what can be changed, beside a form that shows it. */
  onlyFixed?: boolean;
};

/** The name, the status and the identifiers of an environment, for copying. */
export function EnvironmentFacts({ environment, onlyFixed = false }: EnvironmentFactsProps) {
  const t = useTranslations("environments");
  const { id, app, name, status, identifiers, createdAt } = environment;
  const changeable: Fact[] = [
    copyable(t("name"), name),
    { label: t("status"), value: <StatusBadge status={status} /> },
    {
      label: t("identifiers"),
      value:
        identifiers.length === 0
          ? t("noIdentifiers")
          : identifiers.map((identifier) => <Copyable key={identifier} label={t("identifiers")} value={identifier} />),
    },
  ];
  return (
    <Card className={onlyFixed ? undefined : "max-w-3xl"}>
      <CardHeader>
        <CardTitle>{t("details")}</CardTitle>
      </CardHeader>
      <CardContent>
        <Facts
          long
          items={[
            ...(onlyFixed ? [] : changeable),
            copyable(t("appIdentifier"), app.identifier),
            copyable(t("configuration.environmentId"), id),
            { label: t("createdAt"), value: <DateTime date={createdAt} /> },
          ]}
        />
      </CardContent>
    </Card>
  );
}
