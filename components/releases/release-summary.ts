import { type ReleaseInstallFacts, releaseInstallFacts } from "@/lib/features/releases/installability";
import type { Release } from "@/lib/features/releases/schema";
import type { Scope } from "@/lib/permissions/scopes";

/** What the actions on a release need of it; little enough to travel with each row of a list. */
export interface ReleaseSummary {
  id: string;
  displayName: string;
  version: string;
  buildNumber: string;
  /** Its page by the console's settings. */
  installUrl: string;
  facts: ReleaseInstallFacts;
  /** What can be changed of it. */
  editable: Pick<Release, "description" | "fileName" | "iosEnabled" | "metadata">;
}

/** What the actions on a release need of it. */
export function releaseSummary(release: Release): ReleaseSummary {
  const { id, displayName, version, buildNumber, installUrl, description, fileName, iosEnabled, metadata } = release;
  return {
    id,
    displayName,
    version,
    buildNumber,
    installUrl,
    facts: releaseInstallFacts(release),
    editable: { description, fileName, iosEnabled, metadata },
  };
}

/** What a person may do with the releases of an environment. */
export interface ReleaseRights {
  download: boolean;
  create: boolean;
  update: boolean;
  delete: boolean;
}

/** The rights that come with somebody's scopes in an environment. */
export function releaseRights(scopes: readonly Scope[]): ReleaseRights {
  return {
    download: scopes.includes("release:download"),
    create: scopes.includes("release:create"),
    update: scopes.includes("release:update"),
    delete: scopes.includes("release:delete"),
  };
}
