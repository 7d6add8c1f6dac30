import "server-only";
import { MAX_LIMIT } from "@/lib/api/list";
import { getTestingDeployById } from "@/lib/features/releases/operations/get-testing-deploy-by-id";
import { getShareLinks } from "@/lib/features/share-links/operations/get-share-links";
import { ApiError } from "@/lib/kernel/errors";
import { idSchema } from "@/lib/kernel/ids-schema";
import { type Exchange, fixedPaths, type Product, sentToken } from "./exchange";
import { publishForm } from "./form";
import { run, tokenActor } from "./operations";

// The upload of Diawi and the status of its job: https://dashboard.diawi.com/docs/apis/upload

/** Diawi's numbers for a job that is done and for one that failed. */
const DONE = 2000;
const FAILED = 4000;
/** Between the ID of a release and that of its share link, in the name of a job. */
const LINK_SEPARATOR = ".";

async function upload(exchange: Exchange) {
  const { release, link } = await publishForm(exchange, {
    tokenField: "token",
    linkName: "Diawi",
    texts: ["comment"],
    toRelease: (fields, { environmentId }) => ({
      place: { environmentId },
      description: fields.text("comment"),
      linkPassword: fields.text("password"),
    }),
  });
  // The release is published when the upload is answered, so its ID serves as the job, with that of its share link.
  return { status: 200, body: { job: link ? `${release.id}${LINK_SEPARATOR}${link.id}` : release.id } };
}

async function status(exchange: Exchange) {
  const { query, facts } = exchange;
  const actor = await tokenActor(sentToken(exchange, "token"), facts);
  const [releaseId, linkId] = (query.get("job") ?? "").split(LINK_SEPARATOR);
  const job = idSchema.safeParse(releaseId);
  if (!job.success) throw new ApiError("not_found");
  const { id, installUrl, qrUrl } = await run(getTestingDeployById, { actor, facts }, { id: job.data });
  const done = { status: DONE, message: "Ok", hash: id };
  if (linkId === undefined) return { status: 200, body: { ...done, link: installUrl, qrcode: qrUrl } };
  const { items } = await run(getShareLinks, { actor, facts }, { releaseId: id, limit: MAX_LIMIT });
  const link = items.find((one) => one.id === linkId);
  if (!link) throw new ApiError("not_found");
  return { status: 200, body: { ...done, link: link.url, qrcode: link.qrUrl } };
}

export const diawi: Product = {
  name: "diawi",
  at: fixedPaths({ "/": { POST: upload }, "/status": { GET: status } }),
  failed: ({ message }) => ({ status: FAILED, message }),
};
