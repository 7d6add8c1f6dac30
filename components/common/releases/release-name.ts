import type { Release } from "@/lib/features/releases/schema";

/** The display name of a release: `2.4.0 (118)`. */
export function releaseName({ version, buildNumber }: Pick<Release, "version" | "buildNumber">): string {
  return `${version} (${buildNumber})`;
}
