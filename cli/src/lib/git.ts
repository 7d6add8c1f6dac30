import { execFileSync } from "node:child_process";

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
 * @returns null where there is no repository with commits
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
