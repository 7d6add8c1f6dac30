import { appendFileSync } from "node:fs";
import type { OperationOutput } from "@/lib/client/operation-types";
import { fileFailure } from "./failure";
import { printable } from "./terminal";

type Release = OperationOutput<"apps/create-testing-deploy">;

/** What `upload` tells the steps of a CI system that follow, by its name there. */
export const OUTPUTS: Readonly<Record<string, { brief: string; of: (release: Release) => string }>> = {
  "release-id": { brief: "The ID of the release", of: ({ id }) => id },
  "install-url": { brief: "The page from which testers install the release", of: ({ installUrl }) => installUrl },
  "qr-url": {
    brief: "The QR code of that page, an image for those who may see the release",
    of: ({ qrUrl }) => qrUrl,
  },
  version: { brief: "The version of the app", of: ({ version }) => version },
  "build-number": { brief: "The build number of the app", of: ({ buildNumber }) => buildNumber },
};

/** The environment variable of an output: SLIPWAY_RELEASE_ID. */
export function outputVariable(name: string): string {
  return `SLIPWAY_${name.replaceAll("-", "_").toUpperCase()}`;
}

const line = (text: string) => printable(text).replace(/\s+/g, " ");

/**
 * Appends the outputs of a release, one in a line. Values have no line breaks, so none can add another output.
 * @param nameOf how the reader of the file calls an output
 * @throws Failure if the file cannot be written
 */
export function appendOutputs(path: string, release: Release, nameOf: (name: string) => string): void {
  const lines = Object.entries(OUTPUTS).map(([name, { of }]) => `${nameOf(name)}=${line(of(release))}\n`);
  append(path, lines.join(""));
}

/** Appends a summary of a release in Markdown. @throws Failure if the file cannot be written */
export function appendSummary(path: string, release: Release): void {
  const escaped = (text: string) => line(text).replace(/[\\`*_{}[\]<>()#+!|~-]/g, "\\$&");
  const title = `### ${escaped(release.displayName)} ${escaped(release.version)} (${escaped(release.buildNumber)})`;
  const place = `Published to ${escaped(release.app.name)}, ${escaped(release.environment.name)}.`;
  append(path, `${title}\n\n${place}\n\n[Install](${release.installUrl}) · [QR code](${release.qrUrl})\n`);
}

function append(path: string, text: string): void {
  try {
    appendFileSync(path, text);
  } catch (error) {
    throw fileFailure(path, error) ?? error;
  }
}
