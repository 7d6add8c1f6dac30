import { issueToken } from "@/lib/auth/one-time-tokens";
import { db } from "@/lib/db/client";
import { ANONYMOUS, send } from "@/lib/testing/console";
import { aRelease } from "@/lib/testing/releases";
import { customSample } from "@/lib/testing/sample";
import { downloadTestingDeployByToken } from "./download-testing-deploy-by-token";

export const sample = customSample(downloadTestingDeployByToken, {
  input: () => ({}),
  arrange: async ({ admin, app, environmentId }) => {
    const { id } = await aRelease(admin, { identifier: app.identifier, environmentId });
    const { token } = await issueToken(db, { purpose: "installer", subject: id, now: new Date() });
    return () => send(downloadTestingDeployByToken, ANONYMOUS, { token });
  },
});
