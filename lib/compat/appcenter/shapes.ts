import "server-only";
import type { Release } from "@/lib/features/releases/schema";
import { pictureUrl } from "../exchange";
import { slugOf } from "../places";
import type { AppCall, Group } from "./calls";

/** The owner of all applications; clients may name any. */
const OWNER = { id: "00000000-0000-0000-0000-000000000000", name: "slipway", display_name: "Slipway", type: "org" };

export function shownApp({ place }: AppCall) {
  const { app } = place;
  return {
    id: app.id,
    app_secret: "",
    name: slugOf(app.name),
    display_name: app.name,
    description: app.description,
    os: "Custom",
    platform: "Custom",
    origin: "appcenter",
    icon_url: null,
    owner: OWNER,
    created_at: app.createdAt,
    updated_at: app.updatedAt,
  };
}

export function shownGroup({ id, name }: Pick<Group, "id" | "name">) {
  return { id, name, display_name: name, origin: "appcenter", is_public: false };
}

export function shownRelease(release: Release, number: number) {
  const { environment, installer, platform } = release;
  const isAndroid = platform.kind === "android";
  return {
    id: number,
    status: "available",
    enabled: true,
    origin: "appcenter",
    app_name: slugOf(release.app.name),
    app_display_name: release.displayName,
    app_os: isAndroid ? "Android" : "iOS",
    short_version: release.version,
    version: release.buildNumber,
    release_notes: release.description,
    size: release.size,
    min_os: release.minOs,
    ...(isAndroid && release.minOs !== null && { android_min_api_level: release.minOs }),
    bundle_identifier: release.identifier,
    fingerprint: release.sha256,
    file_extension: installer.kind,
    uploaded_at: release.deployDate,
    download_url: release.installUrl,
    install_url: release.installUrl,
    app_icon_url: pictureUrl(release.iconUrl),
    is_external_build: false,
    destinations: [{ id: environment.id, name: environment.name, destination_type: "group" }],
    distribution_groups: [{ id: environment.id, name: environment.name }],
  };
}
