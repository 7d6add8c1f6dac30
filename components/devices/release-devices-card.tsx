import { CircleCheck, TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import type { OperationOutput } from "@/lib/client/operation-types";
import type { InstallMatrix } from "@/lib/features/verdicts/schema";
import { MatrixLines } from "./install-matrix";
import { ReleaseDevicesButtons } from "./release-devices-buttons";

export type ReleaseDevicesCardProps = {
  release: { id: string; name: string; environmentId: string };
  matrix: InstallMatrix;
  /** What the profile covers; null if it does not list devices. */
  coverage: OperationOutput<"devices/get-release-devices"> | null;
  isAdmin: boolean;
};

/** On which devices a release installs: those of its testers, and those that its profile lists or misses. */
export function ReleaseDevicesCard({ release, matrix, coverage, isAdmin }: ReleaseDevicesCardProps) {
  const t = useTranslations("devices.coverage");
  if (coverage === null && matrix.items.length === 0) return null;
  const hasOthers = coverage !== null && coverage.covered + coverage.notCovered > 0;
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("heading")}</CardTitle>
      </CardHeader>
      <CardContent>
        {/* Without devices of testers, the profile alone says more. */}
        {(matrix.items.length > 0 || coverage === null) && <MatrixLines matrix={matrix} hasOthers={hasOthers} />}
        {coverage && <Coverage release={release} coverage={coverage} isAdmin={isAdmin} />}
      </CardContent>
    </Card>
  );
}

function Coverage({
  release,
  coverage: { covered, notCovered, unknownUdids },
  isAdmin,
}: {
  release: ReleaseDevicesCardProps["release"];
  coverage: OperationOutput<"devices/get-release-devices">;
  isAdmin: boolean;
}) {
  const t = useTranslations("devices.coverage");
  const total = covered + notCovered;
  const Icon = notCovered > 0 ? TriangleAlert : CircleCheck;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p className="flex min-w-0 items-start gap-2 leading-5">
        {total > 0 && (
          <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${notCovered > 0 ? "text-warning" : "text-success"}`} />
        )}
        <span className="min-w-0 text-pretty">
          {total === 0 && t("none")}
          {total > 0 && (notCovered > 0 ? t("summary", { notCovered, total }) : t("complete", { total }))}
          {unknownUdids > 0 && (
            <span className="block text-muted-foreground text-xs">{t("unknown", { count: unknownUdids })}</span>
          )}
        </span>
      </p>
      {total > 0 && <ReleaseDevicesButtons release={release} isAdmin={isAdmin} hasMissing={notCovered > 0} />}
    </div>
  );
}
