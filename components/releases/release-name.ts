import type { Release } from "@/lib/features/releases/schema";

/** How a release is called: `2.4.0 (118)`. */
export function releaseName({ version, buildNumber }: Pick<Release, "version" | "buildNumber">): string {
  return `${version} (${buildNumber})`;
}

/** The first line of a text that says something. */
export function firstLine(text: string): string {
  return text.trimStart().split(/\r?\n/u, 1)[0] ?? "";
}
