/** What distinguishes the files of a build. */
type BuildFile = { platform: { id: string }; installer: { kind: string } };

/**
 * The files that a build is now: of several of the same platform and kind, the last one that was published.
 * @param releases of `get-builds`: of one platform and kind, the last one comes first
 */
export function filesOfBuild<R extends BuildFile>(releases: readonly R[]): R[] {
  const isSame = (one: R, other: R) =>
    one.platform.id === other.platform.id && one.installer.kind === other.installer.kind;
  return releases.filter((release, index) => releases.findIndex((other) => isSame(release, other)) === index);
}
