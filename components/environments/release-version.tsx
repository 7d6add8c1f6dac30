import type { Release } from "@/lib/features/releases/schema";

/** Version and build; in narrow places, the line breaks between them. */
export function ReleaseVersion({ release }: { release: Pick<Release, "version" | "buildNumber"> }) {
  return (
    <span className="font-mono [overflow-wrap:anywhere]">
      {release.version} <span className="text-muted-foreground">({release.buildNumber})</span>
    </span>
  );
}
