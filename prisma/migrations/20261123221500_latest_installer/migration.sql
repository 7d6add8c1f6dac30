-- In the order of the latest release: installers that devices take before app bundles, then the highest version and build number,
-- then the last publication.
DROP INDEX "Release_latest_idx";
CREATE INDEX "Release_latest_idx" ON "Release"
  ("environmentId", "platformId", ("installer"->>'kind' IS DISTINCT FROM 'aab'), version_order("version"),
   version_order("buildNumber"), "deployDate", "id");
