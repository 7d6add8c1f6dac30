import { aRelease } from "@/lib/testing/releases";
import { simpleSample } from "@/lib/testing/sample";
import { createShareLink } from "./create-share-link";

export const sample = simpleSample(createShareLink, async ({ admin, app, environmentId }) => {
  const { id } = await aRelease(admin, { identifier: app.identifier, environmentId });
  return { releaseId: id, name: "For the client", password: "canary-password-5f1c", maxInstalls: 3 };
});
