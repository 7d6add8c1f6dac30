import { daysUntilExpiry } from "@slipway/certificates";
import {
  androidSystem,
  type EntitlementValue,
  type InstallerDetails,
  type IpaInstaller,
  type ProfileType,
} from "@slipway/installers";
import { useFormatter, useNow, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Bytes } from "@/components/common/bytes";
import { CopyButton } from "@/components/common/copy-button";
import { Disclosure } from "@/components/common/disclosure";
import { type Fact, Facts } from "@/components/common/facts";
import { useRelativeFormat } from "@/components/common/relative-format";
import { Badge } from "@/components/ui/badge";
import type { Release } from "@/lib/features/releases/schema";
import { permissionGroups } from "./permission-groups";

export type InstallerFactsProps = {
  installer: InstallerDetails;
  /** The bundle ID or package name. */
  identifier: string;
  /** An iOS version or an Android API level. */
  minOs: string | null;
  file: Pick<Release, "fileName" | "size" | "sha256">;
};

/** The details of an installer in plain words. */
export function InstallerFacts({ installer, identifier, minOs, file }: InstallerFactsProps) {
  const t = useTranslations("releases.facts");
  const details = useTranslations("releases.details");
  const ios = useIosFacts();
  const android = useAndroidFacts();
  const common: Fact[] = [{ label: t("identifier"), value: <Copyable label={t("identifier")} value={identifier} /> }];
  const facts = installer.kind === "ipa" ? ios(installer, minOs) : android(installer);
  const ofFile: Fact[] = [
    { label: details("size"), value: <Bytes value={file.size} /> },
    { label: details("fileName"), value: <span className="break-all font-mono">{file.fileName}</span> },
    { label: details("sha256"), value: <Hash label={details("sha256")} value={file.sha256} /> },
  ];
  return (
    <div className="@container">
      <Facts items={[...common, ...facts, ...ofFile]} columns />
    </div>
  );
}

type IpaDetails = Extract<InstallerDetails, { kind: "ipa" }>;
type AndroidDetails = Exclude<InstallerDetails, { kind: "ipa" }>;

function useIosFacts(): (installer: IpaDetails, minOs: string | null) => Fact[] {
  const t = useTranslations("releases.facts");
  const families = useFamilies();
  return (installer, minOs) => {
    const { profileType, profileName, team, teamName, sdkVersion, deviceFamilies, entitlements } = installer;
    const requires = [minOs && t("iosOrLater", { version: minOs }), families(deviceFamilies)]
      .filter(Boolean)
      .join(" · ");
    return [
      {
        label: t("profile"),
        value: profileType ? <ProfileSummary installer={installer} /> : t("noProfile"),
      },
      ...(profileName ? [{ label: t("profileName"), value: profileName }] : []),
      ...(team ? [{ label: t("team"), value: teamName ? `${teamName} (${team})` : team }] : []),
      ...(requires ? [{ label: t("requires"), value: requires }] : []),
      ...(sdkVersion ? [{ label: t("sdk"), value: t("iosSdk", { version: sdkVersion }) }] : []),
      ...(Object.keys(entitlements).length > 0
        ? [
            {
              label: t("entitlements"),
              value: (
                <Collapsed summary={t("entitlementCount", { count: Object.keys(entitlements).length })}>
                  <dl className="flex flex-col gap-1.5">
                    {Object.entries(entitlements).map(([key, value]) => (
                      <div key={key}>
                        <dt className="break-all font-mono text-foreground">{key}</dt>
                        <dd className="break-all font-mono text-muted-foreground">{entitlementText(value)}</dd>
                      </div>
                    ))}
                  </dl>
                </Collapsed>
              ),
            },
          ]
        : []),
      signatureFact(t("certificate"), installer.signingSha256),
    ].filter((fact) => fact !== null);
  };
}

function useAndroidFacts(): (installer: AndroidDetails) => Fact[] {
  const t = useTranslations("releases.facts");
  const format = useFormatter();
  return (installer) => {
    const { minSdk, targetSdk, abis, permissions, signatureSchemes, signingSha256, debuggable, split } = installer;
    const groups = permissionGroups(permissions).map((group) => t(`permissionGroups.${group}`));
    return [
      ...(minSdk === null ? [] : [{ label: t("requires"), value: t("orLater", { version: androidSystem(minSdk) }) }]),
      ...(targetSdk === null ? [] : [{ label: t("target"), value: androidSystem(targetSdk) }]),
      {
        label: t("abis"),
        value: abis.length > 0 ? <span className="font-mono">{abis.join(", ")}</span> : t("anyAbi"),
      },
      {
        label: t("permissions"),
        value: (
          <div className="flex flex-col gap-1">
            <span>
              {groups.length > 0
                ? t("mayAsk", { list: format.list(groups, { type: "conjunction" }) })
                : t("asksNothing")}
            </span>
            {permissions.length > 0 && (
              <Collapsed summary={t("permissionCount", { count: permissions.length })}>
                <ul className="flex flex-col gap-1 break-all font-mono">
                  {permissions.map((permission) => (
                    <li key={permission}>{permission}</li>
                  ))}
                </ul>
              </Collapsed>
            )}
          </div>
        ),
      },
      ...(debuggable ? [{ label: t("build"), value: <Badge tone="warning">{t("debuggable")}</Badge> }] : []),
      ...(split ? [{ label: t("build"), value: <Badge tone="warning">{t("split")}</Badge> }] : []),
      ...(signatureSchemes.length > 0
        ? [{ label: t("schemes"), value: <span className="font-mono">{signatureSchemes.join(", ")}</span> }]
        : []),
      signatureFact(t("signature"), signingSha256) ?? { label: t("signature"), value: t("unsigned") },
    ];
  };
}

/** A profile in one sentence: "A development profile for 12 devices, expires in 9 days". */
export function ProfileSummary({
  installer,
}: {
  installer: Pick<IpaDetails, "profileType" | "profileExpiry" | "deviceCount">;
}) {
  const t = useTranslations("releases.facts");
  const format = useFormatter();
  const relative = useRelativeFormat();
  const now = useNow();
  const { profileType, profileExpiry, deviceCount } = installer;
  if (!profileType) return t("noProfile");
  const end = profileExpiry === null ? null : new Date(profileExpiry);
  const days = end === null ? 0 : daysUntilExpiry(end, now);
  const sentence = t("profileSummary", {
    type: PROFILE_KEYS[profileType],
    named: deviceCount === null ? "no" : "yes",
    devices: deviceCount ?? 0,
    state: end === null ? "open" : end <= now ? "ended" : days <= COUNTED_DAYS ? "soon" : "ends",
    days,
    when: end === null ? "" : relative(end, now),
  });
  return (
    <span title={end ? format.dateTime(end, { dateStyle: "full", timeStyle: "short" }) : undefined}>{sentence}</span>
  );
}

/** Up to this many days, the expiry is shown in days; beyond that, in months. */
const COUNTED_DAYS = 60;

/** ICU select keys must not contain hyphens. */
const PROFILE_KEYS: Record<ProfileType, string> = {
  development: "development",
  "ad-hoc": "adHoc",
  enterprise: "enterprise",
  "app-store": "appStore",
};

function useFamilies(): (families: IpaInstaller["deviceFamilies"]) => string {
  const t = useTranslations("releases.facts.families");
  const format = useFormatter();
  return (families) =>
    format.list(
      families.map((family) => t(family)),
      { type: "conjunction" },
    );
}

function signatureFact(label: string, hashes: readonly string[]): Fact | null {
  if (hashes.length === 0) return null;
  return {
    label,
    value: (
      <div className="flex flex-col gap-1">
        {hashes.map((hash) => (
          <Hash key={hash} label={label} value={hash} />
        ))}
      </div>
    ),
  };
}

function entitlementText(value: EntitlementValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A technical value with a copy button. */
export function Copyable({ label, value }: { label: string; value: string }) {
  return (
    <span className="-my-1 flex min-w-0 items-start gap-1">
      <code className="min-w-0 flex-1 break-all py-1 font-mono">{value}</code>
      <CopyButton value={value} label={label} iconOnly className="text-muted-foreground" />
    </span>
  );
}

/** Characters of a hash that are shown at its beginning and its end. */
const SHOWN_HASH = { start: 8, end: 6 };

/** A hash, shortened, with a button that copies all of it. */
export function Hash({ label, value }: { label: string; value: string }) {
  return (
    <span className="-my-1 flex min-w-0 items-start gap-1">
      <code title={value} className="py-1 font-mono">
        {value.slice(0, SHOWN_HASH.start)}…{value.slice(-SHOWN_HASH.end)}
      </code>
      <CopyButton value={value} label={label} iconOnly className="text-muted-foreground" />
    </span>
  );
}

function Collapsed({ summary, children }: { summary: string; children: ReactNode }) {
  return (
    <Disclosure summary={summary} className="-my-1.5">
      <div className="mt-1.5 max-h-80 overflow-y-auto rounded-md bg-muted px-3 py-2 text-[0.8125rem]">{children}</div>
    </Disclosure>
  );
}
