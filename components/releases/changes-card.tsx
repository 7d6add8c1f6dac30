import type { InstallerKind } from "@slipway/installers";
import { useTranslations } from "next-intl";
import { HoverLink } from "@/components/common/hover-link";
import { releaseName } from "@/components/common/releases/release-name";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import { releasePath } from "@/lib/kernel/navigation/pages";
import { ReleaseChanges } from "./release-parts-on-demand";

export type ChangesCardProps = {
  release: { id: string; installer: { kind: InstallerKind } };
  previous: { id: string; version: string; buildNumber: string };
};

/** What a release changed since the one before it. */
export function ChangesCard({ release, previous }: ChangesCardProps) {
  const t = useTranslations("releases.changes");
  return (
    <Card>
      <CardHeader>
        <CardTitle>
          {t.rich("title", {
            previous: () => (
              <HoverLink
                href={releasePath(previous.id)}
                className="ms-0.5 font-mono text-link underline-offset-4 hover:underline"
              >
                {releaseName(previous)}
              </HoverLink>
            ),
          })}
        </CardTitle>
      </CardHeader>
      <CardContent>
        <ReleaseChanges from={previous.id} to={release.id} kind={release.installer.kind} />
      </CardContent>
    </Card>
  );
}
