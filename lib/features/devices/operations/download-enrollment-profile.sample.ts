import { randomUUID } from "node:crypto";
import { ANONYMOUS, send } from "@/lib/testing/console";
import { anEnrollment } from "@/lib/testing/devices";
import { customSample } from "@/lib/testing/sample";
import { downloadEnrollmentProfile } from "./download-enrollment-profile";

export const sample = customSample(downloadEnrollmentProfile, {
  input: () => ({ token: randomUUID() }),
  arrange: async ({ admin }) => {
    const token = await anEnrollment(admin);
    return (sender = ANONYMOUS) => send(downloadEnrollmentProfile, sender, { token });
  },
});
