import type { OperationOutput } from "@/lib/client/operation-types";
import { type Console, type ConsoleFlags, connect } from "./console";
import type { Context } from "./context";
import type { DownloadedFile } from "./download";
import { Failure, usageFailure } from "./failure";

/** The options of the commands for one release. */
export interface ReleaseFlags extends ConsoleFlags {
  json: boolean;
}

const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const FIND_ID_HINT = "`slipway releases list` shows the IDs; in an install link, the ID follows `id=`.";

/** @throws Failure for a text that cannot be an ID */
export function requireReleaseId(text: string): void {
  if (!UUID.test(text)) throw usageFailure(`"${text}" is not the ID of a release.`, FIND_ID_HINT);
}

/** Calls an operation of a release. @throws Failure which names the release that is not there */
export async function ofRelease<T>(id: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof Failure) || error.problem?.code !== "not_found") throw error;
    const { exitCode, problem } = error;
    const message = `There is no release ${id} that you may see.`;
    throw new Failure(exitCode, message, { hints: [FIND_ID_HINT], problem });
  }
}

/** Connects to the console of a command and loads its release. */
export async function connectToRelease(context: Context, flags: ConsoleFlags, id: string) {
  requireReleaseId(id);
  const console = await connect(context, flags);
  const release = await ofRelease(id, () => console.query("apps/get-testing-deploy-by-id", { id }));
  return { console, release };
}

type Release = OperationOutput<"apps/get-testing-deploy-by-id">;

/** The installer of a release. */
export function installerOf(console: Console, { id, size: bytes, sha256 }: Pick<Release, "id" | "size" | "sha256">) {
  const fetch: DownloadedFile["fetch"] = (signal) =>
    console.fetchFile("apps/download-testing-deploy-file", { id }, signal);
  return { size: bytes, sha256, fetch };
}
