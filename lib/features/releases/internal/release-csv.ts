import type { Release } from "../schema";

/** The columns of a list of releases as CSV. */
export const RELEASE_COLUMNS = {
  id: (release: Release) => release.id,
  app: (release: Release) => release.app.name,
  environment: (release: Release) => release.environment.name,
  platform: (release: Release) => release.platform.name,
  version: (release: Release) => release.version,
  buildNumber: (release: Release) => release.buildNumber,
  identifier: (release: Release) => release.identifier,
  description: (release: Release) => release.description,
  mandatory: (release: Release) => release.mandatory,
  fileName: (release: Release) => release.fileName,
  size: (release: Release) => release.size,
  sha256: (release: Release) => release.sha256,
  minOs: (release: Release) => release.minOs,
  downloads: (release: Release) => release.downloads,
  createdBy: (release: Release) => release.createdBy?.name,
  deployDate: (release: Release) => release.deployDate,
  installUrl: (release: Release) => release.installUrl,
};
