import { randomUUID } from "node:crypto";
import { db } from "@/lib/db/client";
import { secretOf } from "@/lib/testers/secrets";
import { ANONYMOUS, send } from "@/lib/testing/console";
import { feedbackForm } from "@/lib/testing/feedback";
import { aRelease } from "@/lib/testing/releases";
import { customSample } from "@/lib/testing/sample";
import { aTesterGroup } from "@/lib/testing/tester-groups";
import { createTesterFeedback } from "./create-tester-feedback";
import { distributeRelease } from "./distribute-release";

export const sample = customSample(createTesterFeedback, {
  input: () => ({}),
  arrange: async ({ admin, app, environmentId }) => {
    const { id: releaseId } = await aRelease(admin, { identifier: app.identifier, environmentId });
    const email = `${randomUUID()}@example.test`;
    const group = await aTesterGroup(admin, { appId: app.appId, emails: [email] });
    const { id } = await db.tester.findFirstOrThrow({ where: { email } });
    await db.tester.update({ where: { id }, data: { confirmedAt: new Date() } });
    await send(distributeRelease, admin, { releaseId, groupIds: [group.id] });
    const form = await feedbackForm({ secret: await secretOf(db, id), releaseId });
    return (sender = ANONYMOUS) => send(createTesterFeedback, sender, form);
  },
});
