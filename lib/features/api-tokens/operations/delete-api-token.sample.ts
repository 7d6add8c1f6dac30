import { aToken } from "@/lib/testing/console";
import { simpleSample } from "@/lib/testing/sample";
import { deleteApiToken } from "./delete-api-token";

export const sample = simpleSample(deleteApiToken, async ({ app, environmentId }) => {
  const { tokenId } = await aToken({ appId: app.appId, environmentId });
  return { id: tokenId };
});
