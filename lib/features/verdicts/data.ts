import "server-only";
import { DESKTOP, type DeviceFacts, installVerdict, VERDICTS } from "@slipway/installers";
import type { Db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";
import { toRelease } from "@/lib/features/releases/data/answers";
import { readInstallFacts } from "@/lib/features/releases/data/install-facts";
import type { ReleaseRow } from "@/lib/features/releases/data/rows";
import { releaseInstallFacts } from "@/lib/features/releases/rules";
import type { InstallMatrix } from "./schema";

/** Groups of devices that an answer contains; the counts are of all. */
const MAX_ITEMS = 200;

/** Devices that are alike. */
interface Group {
  os: DeviceFacts["os"];
  osVersion: string | null;
  model: string | null;
  /** Null if the profile is not known, lists no devices by its type, or the device has no UDID. */
  registered: boolean | null;
  devices: number;
  people: number;
}

/**
 * The devices of people to whom releases of an environment were distributed, or who downloaded them, by what decides where a release
 * installs; and the systems with which others opened the page of a release there.
 */
function readGroups(db: Db, { fileId, environmentId }: ReleaseRow, listsDevices: boolean): Promise<Group[]> {
  return queryRows<Group>(
    db,
    sql`
      WITH people AS (
        SELECT d."userId" FROM "ReleaseDownload" d JOIN "Release" r ON r."id" = d."releaseId"
        WHERE r."environmentId" = ${environmentId}::uuid AND d."userId" IS NOT NULL
        UNION
        SELECT v."userId" FROM "InstallVisit" v
        WHERE v."environmentId" = ${environmentId}::uuid AND v."userId" IS NOT NULL AND v."begunAt" IS NOT NULL
        UNION
        SELECT t."userId" FROM "ReleaseRecipient" o JOIN "Release" r ON r."id" = o."releaseId"
          JOIN "Tester" t ON t."id" = o."testerId"
        WHERE r."environmentId" = ${environmentId}::uuid AND t."userId" IS NOT NULL
      ), listed AS (
        SELECT DISTINCT h."hash" FROM "InstallerFacts" i CROSS JOIN unnest(i."deviceHashes") h("hash")
        WHERE i."fileId" = ${fileId}::uuid
      ), owned AS (
        SELECT d."userId", d."os"::text AS "os", d."osVersion", d."model",
          CASE WHEN d."udidHash" IS NOT NULL AND ${listsDevices} AND EXISTS (SELECT 1 FROM "InstallerFacts" i
            WHERE i."fileId" = ${fileId}::uuid AND i."failure" IS NULL) THEN l."hash" IS NOT NULL END AS "registered",
          count(*)::int AS "devices"
        FROM "Device" d JOIN people p ON p."userId" = d."userId" LEFT JOIN listed l ON l."hash" = d."udidHash"
        GROUP BY 1, 2, 3, 4, 5
      ), enrolled AS (
        SELECT "os", "osVersion", "model", "registered", sum("devices")::int AS "devices", count(*)::int AS "people"
        FROM owned GROUP BY 1, 2, 3, 4
      ), opened AS (
        SELECT DISTINCT o."device"::text AS "os", o."osVersion", NULL AS "model", NULL::boolean AS "registered",
          0 AS "devices", 0 AS "people"
        FROM "ReleaseOpening" o JOIN "Release" r ON r."id" = o."releaseId"
        WHERE r."environmentId" = ${environmentId}::uuid AND o."device" <> 'desktop' AND o."osVersion" IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM enrolled e WHERE e."os" = o."device"::text AND e."osVersion" = o."osVersion")
      )
      SELECT * FROM enrolled UNION ALL SELECT * FROM opened`,
  );
}

/** Here, because PostgreSQL compares texts by the rules of a language, which takes several times as long. */
function mostFirst(a: Group, b: Group): number {
  const orderOf = ({ os, osVersion, model, registered }: Group) => [os, osVersion, model, registered].join(" ");
  return b.devices - a.devices || (orderOf(a) < orderOf(b) ? 1 : -1);
}

/** How a release installs on the devices of the people of its environment. Devices that are alike are judged once. */
export async function installMatrix(db: Db, release: ReleaseRow, now: Date): Promise<InstallMatrix> {
  const {
    installed: _ofCaller,
    stored: _,
    ...known
  } = await readInstallFacts(release, { kind: "anonymous", expired: false }, db);
  const facts = releaseInstallFacts(toRelease(release));
  const listsDevices = facts.kind === "ipa" && facts.ios.deviceCount !== null;
  const { iosEnabled, https, universalApk } = facts;
  const console = { ...known, iosEnabled, https, universalApk };
  const verdicts = Object.fromEntries(VERDICTS.map((name) => [name, 0])) as InstallMatrix["verdicts"];
  const isForApple = facts.kind === "ipa";
  const groups = (await readGroups(db, release, listsDevices)).sort(mostFirst);
  const items = groups.flatMap((group) => {
    const { os, osVersion, model, registered, devices, people } = group;
    // The devices of the other system are of people who have another file of the build.
    if (os === "desktop" || (os !== "android") !== isForApple) return [];
    const device: DeviceFacts = { ...DESKTOP, os, osVersion, osVersionIsMinimum: devices > 0, model, registered };
    const { verdict, reasons } = installVerdict(facts, device, { now, console });
    verdicts[verdict] += devices;
    const codes = reasons
      .filter(({ severity }) => severity === "blocks" || severity === "unknown")
      .map(({ code }) => code);
    return [{ device: { os, osVersion, model, registered }, verdict, codes, devices, people }];
  });
  return {
    items: items.slice(0, MAX_ITEMS),
    total: items.reduce((sum, { devices }) => sum + devices, 0),
    verdicts,
  };
}
