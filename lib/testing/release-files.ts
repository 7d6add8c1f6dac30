import { makeDsyms, makeMachO } from "@slipway/installers/testing";
import { createReleaseFile } from "@/lib/features/release-files/operations/create-release-file";
import { type Answer, type Caller, send } from "./console";
import { aRelease, uploadInParts } from "./releases";

/** The UUIDs of the program of `aReleaseWithPrograms` and of its framework. */
export const PROGRAM_UUID = "6A5C1B2D-0000-4000-8000-00000000000A";
export const FRAMEWORK_UUID = "6A5C1B2D-0000-4000-8000-00000000000B";

/** Publishes an `.ipa` whose program and framework have UUIDs. @returns the body of the response */
export function aReleaseWithPrograms(
  caller: Caller,
  place: { identifier: string; environmentId: string },
  options: Parameters<typeof aRelease>[2] = {},
): Promise<Answer["body"]> {
  return aRelease(caller, place, {
    ...options,
    info: { CFBundleExecutable: "Main" },
    files: {
      "seed.txt": Buffer.from(crypto.randomUUID()),
      Main: makeMachO({ uuid: PROGRAM_UUID }),
      "Frameworks/Kit.framework/Kit": makeMachO({ uuid: FRAMEWORK_UUID, fileType: 6 }),
    },
  });
}

/** Uploads a further file and adds it to a release. */
export async function addFile(
  caller: Caller,
  releaseId: string,
  file: { kind: string; name: string; bytes: Uint8Array<ArrayBuffer> },
): Promise<Answer> {
  const { fileId } = await uploadInParts(caller, file.bytes, file.name, "attachment");
  return send(createReleaseFile, caller, { releaseId, fileId, kind: file.kind, name: file.name });
}

/** Publishes a release with the symbols of its program. @returns the IDs of both */
export async function aReleaseFile(
  caller: Caller,
  place: { identifier: string; environmentId: string },
): Promise<{ releaseId: string; id: string }> {
  const { id: releaseId } = await aReleaseWithPrograms(caller, place);
  const dsym = { kind: "dsym", name: "Main.dSYM.zip", bytes: makeDsyms([PROGRAM_UUID]) };
  const answer = await addFile(caller, releaseId, dsym);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return { releaseId, id: answer.body.id };
}
