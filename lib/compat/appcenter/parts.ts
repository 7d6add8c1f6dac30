import "server-only";
import { createUpload } from "@/lib/features/uploads/operations/create-upload";
import { getUpload } from "@/lib/features/uploads/operations/get-upload";
import { uploadPart } from "@/lib/features/uploads/operations/upload-part";
import { bodyStream, contentLength } from "@/lib/http/body";
import { ApiError, invalidField } from "@/lib/kernel/errors";
import { idSchema } from "@/lib/kernel/ids-schema";
import { type Answerer, type Exchange, wordsOf } from "../exchange";
import { run } from "../operations";
import { failed, mayPass } from "./calls";
import { actorOfUpload, updateUpload, uploadOfSecret } from "./data";

/** The parts of an upload, which are sent with its secret. */
async function partsOf({ query, facts }: Exchange, id: string) {
  const upload = idSchema.safeParse(id).success ? await uploadOfSecret(id, query.get("token") ?? "") : null;
  if (!upload) throw new ApiError("invalid_token");
  return { upload, caller: { actor: await actorOfUpload(upload, facts.now), facts } };
}

/** Begins to receive the file, or continues. */
async function setMetadata(exchange: Exchange, id: string) {
  const { upload, caller } = await partsOf(exchange, id);
  const { query } = exchange;
  const name = query.get("file_name") ?? "";
  const size = Number(query.get("file_size"));
  let missing: number[];
  let partSize: number;
  if (upload.uploadId === null) {
    // Without a SHA-256, an upload is always begun.
    const begun = (await run(createUpload, caller, { name, size })) as { uploadId: string; partSize: number };
    await updateUpload(upload.id, { uploadId: begun.uploadId, fileName: name });
    ({ partSize } = begun);
    missing = Array.from({ length: Math.ceil(size / partSize) }, (_, index) => index + 1);
  } else {
    const state = await run(getUpload, caller, { uploadId: upload.uploadId });
    if (state.size !== size) throw invalidField("file_size", "invalidFormat");
    ({ partSize } = state);
    missing = state.missing.map(({ number }) => number);
  }
  return {
    status: 200,
    body: {
      error: false,
      id,
      chunk_size: partSize,
      chunk_list: missing,
      blob_partitions: 1,
      resume_restart: false,
      status_code: "Success",
    },
  };
}

async function receivePart(exchange: Exchange, id: string) {
  const { upload, caller } = await partsOf(exchange, id);
  const { uploadId } = upload;
  const { query, request } = exchange;
  if (uploadId === null) throw new ApiError("not_found");
  const number = Number(query.get("block_number"));
  const body = { stream: bodyStream(request), contentLength: contentLength(request) };
  await run(uploadPart, caller, { uploadId, number }, { body });
  return { status: 200, body: { error: false, chunk_num: number } };
}

async function finishParts(exchange: Exchange, id: string) {
  const { upload, caller } = await partsOf(exchange, id);
  const { uploadId } = upload;
  if (uploadId === null) throw new ApiError("not_found");
  const { missing } = await run(getUpload, caller, { uploadId });
  const absent = missing.map(({ number }) => number);
  return {
    status: 200,
    body:
      absent.length > 0
        ? { error: true, missing_chunks: absent }
        : { error: false, state: "Done", location: id, raw_location: id },
  };
}

type PartsAnswerer = (exchange: Exchange, id: string) => ReturnType<Answerer>;

/**
 * Answers a failure with the status 200, which the client expects where it prints the reason: of any other status, it says
 * only that the step failed, and it repeats the last step without end. It reads the status from `currentTarget`.
 */
function withFailureAsSuccess(answer: PartsAnswerer): PartsAnswerer {
  return async (exchange, id) => {
    try {
      return await answer(exchange, id);
    } catch (error) {
      const failure = wordsOf(error, exchange.facts);
      if (mayPass(failure)) throw error;
      const { status, message } = failure;
      return { status: 200, body: { error: true, ...failed(failure), currentTarget: { status, statusText: message } } };
    }
  };
}

export const UPLOAD_PATHS: Record<string, PartsAnswerer> = {
  set_metadata: withFailureAsSuccess(setMetadata),
  upload_chunk: receivePart,
  finished: withFailureAsSuccess(finishParts),
};
