import { generateAppleManifestRequestToken } from "@/lib/features/releases/operations/generate-apple-manifest-request-token";
import { ANONYMOUS, send } from "@/lib/testing/console";
import { aRelease } from "@/lib/testing/releases";
import { customSample } from "@/lib/testing/sample";
import { downloadTestingDeployAppleFile } from "./download-testing-deploy-apple-file";

export const sample = customSample(downloadTestingDeployAppleFile, {
  input: () => ({}),
  arrange: async ({ admin, app, environmentId }) => {
    const { id } = await aRelease(admin, { identifier: app.identifier, environmentId });
    const link = await send(generateAppleManifestRequestToken, admin, { id });
    return () => send(downloadTestingDeployAppleFile, ANONYMOUS, { token: link.body.token });
  },
});
