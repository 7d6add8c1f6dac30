import { execFileSync } from "node:child_process";

/** Why there are no commits in a folder, in words. */
export function whyNoCommits(folder: string): string {
  try {
    execFileSync("git", ["rev-parse", "HEAD"], { cwd: folder, stdio: ["ignore", "ignore", "pipe"], timeout: 10_000 });
    return "This folder has no commits with a subject.";
  } catch (error) {
    const { code, stderr } = error as { code?: string; stderr?: Buffer };
    if (code === "ENOENT") return "git is not installed.";
    // A checkout of another user, as in containers.
    if (String(stderr ?? "").includes("dubious ownership")) {
      return "git refuses this folder, because it belongs to another user (safe.directory).";
    }
    return "This folder is not in a git repository with commits.";
  }
}

/** Runs git. @returns its output; null if git or the repository is missing */
function git(folder: string, ...args: string[]): string | null {
  try {
    const output = execFileSync("git", args, { cwd: folder, stdio: ["ignore", "pipe", "ignore"], timeout: 10_000 });
    return output.toString("utf8").trim();
  } catch {
    return null;
  }
}

/** The commit and the branch of the repository that a folder is in. */
export function gitState(folder: string): { commit: string | undefined; branch: string | undefined } {
  const branch = git(folder, "rev-parse", "--abbrev-ref", "HEAD");
  return {
    commit: git(folder, "rev-parse", "HEAD") ?? undefined,
    branch: branch === null || branch === "HEAD" ? undefined : branch,
  };
}

/**
 * Release notes of the commits since the tag before, newest first, as a list in Markdown.
 * @returns null if there is no repository with commits
 */
export function notesFromGit(folder: string, maxLength: number): string | null {
  const tag =
    git(folder, "describe", "--tags", "--abbrev=0", "HEAD^") ?? git(folder, "describe", "--tags", "--abbrev=0");
  const range = tag ? [`${tag}..HEAD`] : ["--max-count=20"];
  const subjects = git(folder, "log", "--no-merges", "--pretty=%s", ...range)
    ?.split("\n")
    .filter(Boolean);
  const lines = subjects?.length ? subjects : [git(folder, "log", "-1", "--pretty=%s") ?? ""].filter(Boolean);
  let text = "";
  for (const line of lines) {
    const next = `${text}${text && "\n"}- ${line}`;
    if (next.length > maxLength) break;
    text = next;
  }
  return text || null;
}
