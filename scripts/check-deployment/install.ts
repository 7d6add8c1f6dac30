import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { type Answer, type Client, IDENTIFIER, sha256 } from "./client";
import type { Deployment, Finished } from "./deployment";

/** Publishes an installer as docs/ci.md says. @param token of the API @param installer the path of the file */
export function publishByCurl(deployment: Deployment, token: string, installer: string): Finished {
  const { domain, httpsPort } = deployment.target;
  const { status, stdout, stderr } = spawnSync(
    "curl",
    [
      ..."--silent --show-error --fail-with-body --write-out %{http_code}".split(" "),
      ...["--cacert", join(deployment.folder, "authority.pem")],
      ...["--connect-to", `${domain}:443:127.0.0.1:${httpsPort}`],
      ...["--header", `Authorization: Bearer ${token}`],
      ...["--form-string", `app=${IDENTIFIER}`, "--form-string", "environment=staging"],
      ...["--form-string", "description=curl", "--form", `file=@${installer}`],
      `https://${domain}/api/apps/create-testing-deploy`,
    ],
    { encoding: "utf8" },
  );
  return { status, stdout, stderr };
}

/** Follows the install link of an iOS release, as a phone does. @returns the address of the installer in the store */
export async function followInstallLink(client: Client, releaseId: string): Promise<string> {
  const { manifestUrl } = await client.must("apps/generate-apple-manifest-request-token", { id: releaseId });
  const manifest = (await client.send(manifestUrl)).bytes.toString("utf8");
  const url = /<string>(https:[^<]+)<\/string>/.exec(manifest)?.[1]?.replaceAll("&amp;", "&");
  if (url === undefined) throw new Error(`the manifest names no installer: ${manifest.slice(0, 200)}`);
  // The console redirects to the store.
  const { status, headers } = await client.send(url);
  if (!headers.location) throw new Error(`no redirection to the store: ${status}`);
  return headers.location;
}

/** @returns whether an answer has exactly these bytes */
export const hasBytes = (answer: Answer, bytes: Buffer): boolean => sha256(answer.bytes) === sha256(bytes);
