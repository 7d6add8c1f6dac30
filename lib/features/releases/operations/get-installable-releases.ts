import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { listReachedApps, toAppFields } from "@/lib/features/apps/data";
import { scopesFor } from "@/lib/permissions/authorize";
import { knownReachOf } from "@/lib/permissions/reach";
import { toRelease } from "../data/answers";
import { latestInstallersByApp } from "../data/latest";
import { readPlaces } from "../data/read-places";
import { getInstallableReleasesInput, installableReleasesOutput, LISTED_INSTALLERS } from "../schema";

/** The active applications that the caller reaches, each with its latest installers: what a tester can install. */
export const getInstallableReleases = defineQuery({
  area: "apps",
  name: "get-installable-releases",
  summary: "List the applications that the caller’s role reaches, each with its latest installers",
  access: "user",
  forGroups: true,
  namesPeople: true,
  input: getInstallableReleasesInput,
  output: installableReleasesOutput,
  errors: [],
  async handler({ actor, input, db }) {
    const { appId, environmentId, ...list } = input;
    const { rows: apps, ...page } = await listReachedApps(db, knownReachOf(actor), list, appId);
    const environments = await readPlaces(db, actor, {
      appId: { in: apps.map(({ id }) => id) },
      ...(environmentId && { id: environmentId }),
    });
    const rows = await latestInstallersByApp(db, environments, LISTED_INSTALLERS);
    const byApp = Map.groupBy(rows, ({ environment }) => environment.app.id);
    const items = apps.map((row) => {
      const releases = (byApp.get(row.id) ?? []).map(toRelease);
      const { id, name, logoUrl } = toAppFields(row);
      const downloadable = new Set(
        releases
          .map(({ environment }) => environment.id)
          .filter((one) =>
            scopesFor(actor, { appId: id, environmentId: one, groups: "any" }).includes("release:download"),
          ),
      );
      return {
        app: { id, name, iconUrl: logoUrl ?? releases[0]?.iconUrl ?? null },
        releases,
        downloadable: [...downloadable],
      };
    });
    return { items, ...page };
  },
});
