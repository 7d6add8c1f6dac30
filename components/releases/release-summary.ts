import { type ReleaseInstallFacts, releaseInstallFacts } from "@/lib/features/releases/rules";
import type { Release } from "@/lib/features/releases/schema";
import type { Scope } from "@/lib/permissions/scopes";
import { installerName } from "./release-groups";

/** The fields of a release that its actions need, small enough to be sent with each row of a list. */
export interface ReleaseSummary {
  id: string;
  displayName: string;
  version: string;
  buildNumber: string;
  environmentId: string;
  /** The release's URL according to the console's settings. */
  installUrl: string;
  /** The bundle ID or package name. */
  identifier: string;
  /** The name of its file beside the others of its build; see `installerName`. */
  fileLabel: string;
  facts: ReleaseInstallFacts;
  /** Whether retention leaves it alone. */
  keep: boolean;
  /** When the editable fields were stored. */
  updatedAt: string;
  /** The editable fields. */
  editable: Pick<Release, "description" | "fileName" | "iosEnabled" | "mandatory" | "metadata">;
}

/** Extracts the fields that the actions on a release need. */
export function releaseSummary(release: Release & Parameters<typeof releaseInstallFacts>[0]): ReleaseSummary {
  const { id, displayName, version, buildNumber, installUrl, identifier, updatedAt } = release;
  const { description, fileName, iosEnabled, mandatory, metadata } = release;
  return {
    id,
    displayName,
    version,
    buildNumber,
    environmentId: release.environment.id,
    installUrl,
    updatedAt,
    identifier,
    fileLabel: installerName(release),
    facts: releaseInstallFacts(release),
    keep: release.keep,
    editable: { description, fileName, iosEnabled, mandatory, metadata },
  };
}

/** What a user may do with the releases of an environment. */
export interface ReleaseRights {
  download: boolean;
  create: boolean;
  update: boolean;
  delete: boolean;
}

/** The rights that a user's scopes in an environment give. */
export function releaseRights(scopes: readonly Scope[]): ReleaseRights {
  return {
    download: scopes.includes("release:download"),
    create: scopes.includes("release:create"),
    update: scopes.includes("release:update"),
    delete: scopes.includes("release:delete"),
  };
}
