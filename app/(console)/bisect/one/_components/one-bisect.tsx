import { deviceFromHeaders } from "@slipway/installers";
import { headers } from "next/headers";
import { getTranslations } from "next-intl/server";
import { PagePlace } from "@/components/common/shell/page-place";
import { RegisterDeviceButton } from "@/components/devices/register-button";
import { BisectView } from "@/components/releases/bisects/bisect-view";
import { call, type requireUser } from "@/lib/api/call";
import { getBisect } from "@/lib/features/bisects/operations/get-bisect";
import { getReleaseDevices } from "@/lib/features/devices/operations/get-release-devices";
import { getTestingDeployById } from "@/lib/features/releases/operations/get-testing-deploy-by-id";
import { contextPath, PAGES } from "@/lib/kernel/navigation/pages";
import { RecordPage } from "../../../../_components/record-page";

export type OneBisectProps = { id: string; actor: Awaited<ReturnType<typeof requireUser>> };

/** How many of one’s own devices are named. */
const NAMED_DEVICES = 10;

/** A search for the build that brought a fault: the next build to try, or the one that was found. */
export async function OneBisect({ id, actor }: OneBisectProps) {
  const [t, bisect, headerStore] = await Promise.all([getTranslations("bisects"), call(getBisect, { id }), headers()]);
  const { app, environment, next, bad } = bisect;
  const device = deviceFromHeaders(headerStore);
  const shownId = next?.id ?? (bad.deleted ? null : bad.id);
  const isTriedOnApple = next?.installer.kind === "ipa" && (device.os === "ios" || device.os === "ipados");
  const [release, own] = await Promise.all([
    shownId === null ? null : call(getTestingDeployById, { id: shownId }),
    isTriedOnApple ? call(getReleaseDevices, { id: next.id, own: "true", limit: NAMED_DEVICES }) : null,
  ]);
  const path = actor.isAdmin ? PAGES.adminReleases : PAGES.releases;
  return (
    <RecordPage of={bisect.id}>
      <PagePlace appId={app.id} environmentId={environment.id} path={path} />
      <BisectView
        bisect={bisect}
        release={release}
        listHref={contextPath(path, app.id, environment.id)}
        breadcrumbs={[{ label: t("title"), href: PAGES.bisect }]}
        device={device}
        ownDevices={own?.profile === "listed" ? own.items.map(({ name, covered }) => ({ name, covered })) : null}
        registerDevice={isTriedOnApple && <RegisterDeviceButton variant="secondary" />}
      />
    </RecordPage>
  );
}
