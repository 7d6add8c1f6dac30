import { unique } from "@/lib/kernel/unique";

interface Promoted {
  version: string;
  buildNumber: string;
  platform: { name: string };
}

/** How the audit log names releases that were promoted at once: each build with the platforms of its files. */
export function promotedName(releases: readonly Promoted[]): string {
  const builds = Map.groupBy(releases, ({ version, buildNumber }) => `${version} (${buildNumber})`);
  return [...builds]
    .map(
      ([build, files]) =>
        `${unique(files.map(({ platform }) => platform.name))
          .sort()
          .join(", ")} ${build}`,
    )
    .join(", ");
}
