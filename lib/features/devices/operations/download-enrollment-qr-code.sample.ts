import { randomUUID } from "node:crypto";
import { ANONYMOUS, send } from "@/lib/testing/console";
import { anEnrollment } from "@/lib/testing/devices";
import { customSample } from "@/lib/testing/sample";
import { downloadEnrollmentQrCode } from "./download-enrollment-qr-code";

export const sample = customSample(downloadEnrollmentQrCode, {
  input: () => ({ token: randomUUID() }),
  arrange: async ({ admin }) => {
    const token = await anEnrollment(admin);
    return (sender = ANONYMOUS) => send(downloadEnrollmentQrCode, sender, { token });
  },
});
