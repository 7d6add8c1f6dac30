import "server-only";
import { getTestingDeployById } from "@/lib/features/releases/operations/get-testing-deploy-by-id";
import { ApiError } from "@/lib/kernel/errors";
import { idSchema } from "@/lib/kernel/ids-schema";
import { type Exchange, fixedPaths, type Product } from "./exchange";
import { publishForm } from "./form";
import { run, tokenActor } from "./operations";

// The upload of Diawi and the status of its job: https://dashboard.diawi.com/docs/apis/upload

/** Diawi's numbers for a job that is done and for one that failed. */
const DONE = 2000;
const FAILED = 4000;

async function upload(exchange: Exchange) {
  const { id } = await publishForm(exchange, {
    tokenField: "token",
    toRelease: (fields, { environmentId }) => ({ place: { environmentId }, description: fields.text("comment") }),
  });
  // The release is published when the upload is answered, so its ID serves as the job.
  return { status: 200, body: { job: id } };
}

async function status({ query, facts }: Exchange) {
  const actor = await tokenActor(query.get("token"), facts);
  const job = idSchema.safeParse(query.get("job"));
  if (!job.success) throw new ApiError("not_found");
  const { id, installUrl, qrUrl } = await run(getTestingDeployById, { actor, facts }, { id: job.data });
  return { status: 200, body: { status: DONE, message: "Ok", hash: id, link: installUrl, qrcode: qrUrl } };
}

export const diawi: Product = {
  name: "diawi",
  at: fixedPaths({ "/": { POST: upload }, "/status": { GET: status } }),
  failed: ({ message }) => ({ status: FAILED, message }),
};
