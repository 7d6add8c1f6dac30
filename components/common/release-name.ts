import type { Release } from "@/lib/features/releases/schema";

/** The display name of a release: `2.4.0 (118)`. */
export function releaseName({ version, buildNumber }: Pick<Release, "version" | "buildNumber">): string {
  return `${version} (${buildNumber})`;
}

/** The first non-empty line of a text. */
export function firstLine(text: string): string {
  return text.trimStart().split(/\r?\n/u, 1)[0] ?? "";
}
