import "server-only";
import { z } from "zod";
import type { AppCenterUpload } from "@/lib/db/generated/client";
import { createTestingDeploy } from "@/lib/features/releases/operations/create-testing-deploy";
import { MAX_VERSION } from "@/lib/features/releases/schema";
import { completeUpload } from "@/lib/features/uploads/operations/complete-upload";
import { getUpload } from "@/lib/features/uploads/operations/get-upload";
import { consume } from "@/lib/http/rate-limit";
import { env } from "@/lib/kernel/env";
import { ApiError, invalidField } from "@/lib/kernel/errors";
import { idSchema } from "@/lib/kernel/ids-schema";
import { authorizeTarget } from "@/lib/permissions/authorize";
import { type Exchange, wordsOf } from "../exchange";
import { run } from "../operations";
import { type AppCall, bodyOf, callerOf, mayPass, optionalText } from "./calls";
import { beginUpload, findUpload, updateUpload } from "./data";
import { releaseOf } from "./releases";

/** Uploads that a token may begin. */
const BEGIN_LIMIT = { points: 120, seconds: 60 };
const beginBody = z.object({ build_version: optionalText(MAX_VERSION), build_number: optionalText(MAX_VERSION) });
const finishBody = z.object({ upload_status: z.enum(["uploadFinished", "uploadCanceled"]) });

/** The address that the client sends the parts to: where it reached this server. */
function uploadDomain({ request }: Exchange): string {
  const host = request.headers.get("host");
  const origin = host && URL.canParse(`http://${host}`) ? `${new URL(env.APP_URL).protocol}//${host}` : env.APP_URL;
  return `${origin}/compat/appcenter`;
}

export async function begin(call: AppCall) {
  const { exchange, actor, place } = call;
  authorizeTarget(createTestingDeploy.access, actor, place);
  const { build_version: version, build_number: buildNumber } = await bodyOf(exchange, beginBody);
  await consume({ name: "appcenter-upload", limit: BEGIN_LIMIT, key: actor.tokenId });
  const { tokenId } = actor;
  const { id, secret } = await beginUpload({ tokenId, version, buildNumber, now: exchange.facts.now });
  return {
    status: 201,
    body: {
      id,
      package_asset_id: id,
      upload_domain: uploadDomain(exchange),
      token: secret,
      url_encoded_token: encodeURIComponent(secret),
    },
  };
}

/** @throws ApiError not_found */
async function ownUpload({ actor, parameter }: AppCall): Promise<AppCenterUpload> {
  const upload = idSchema.safeParse(parameter).success ? await findUpload(actor.tokenId, { id: parameter }) : null;
  if (!upload) throw new ApiError("not_found");
  return upload;
}

/** Joins the parts and checks the file, so that the client hears of a wrong one before it distributes it. */
export async function finish(call: AppCall) {
  const { exchange } = call;
  const upload = await ownUpload(call);
  const { upload_status } = await bodyOf(exchange, finishBody);
  const answer = { status: 200, body: { id: upload.id, upload_status } };
  // A client that has lost the answer asks again, also after the release was published.
  if (upload_status === "uploadCanceled" || upload.releaseId !== null) return answer;
  const { uploadId } = upload;
  if (uploadId === null) throw invalidField("upload_status", "incompleteUpload");
  const caller = callerOf(call);
  let failure: string | null = null;
  let { fileId } = upload;
  try {
    if (fileId === null) {
      const { parts } = await run(getUpload, caller, { uploadId });
      ({ fileId } = await run(completeUpload, caller, { uploadId, parts }));
    }
    await run(createTestingDeploy, caller, releaseOf(call, upload, fileId), { isDryRun: true });
  } catch (error) {
    const words = wordsOf(error, exchange.facts);
    // The client may ask again, and the parts are there.
    if (mayPass(words)) throw error;
    failure = words.message.slice(0, 2_000);
  }
  await updateUpload(upload.id, { fileId, failure });
  return answer;
}

export async function uploadState(call: AppCall) {
  const { id, fileId, failure, number } = await ownUpload(call);
  if (failure !== null) return { status: 200, body: { id, upload_status: "error", error_details: failure } };
  if (fileId === null) return { status: 200, body: { id, upload_status: "uploadStarted" } };
  return { status: 200, body: { id, upload_status: "readyToBePublished", release_distinct_id: Number(number) } };
}
