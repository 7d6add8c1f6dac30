import { randomUUID } from "node:crypto";
import { ANONYMOUS, send } from "@/lib/testing/console";
import { anEnrollment, deviceAnswer, deviceAttributes, enrollmentPayload } from "@/lib/testing/devices";
import { customSample } from "@/lib/testing/sample";
import { completeDeviceEnrollment } from "./complete-device-enrollment";

export const sample = customSample(completeDeviceEnrollment, {
  input: () => ({ token: randomUUID(), answer: "AAAA" }),
  arrange: async ({ admin }) => {
    const token = await anEnrollment(admin);
    const { challenge } = await enrollmentPayload(token);
    const answer = (await deviceAnswer(deviceAttributes(challenge))).toString("base64");
    return (sender = ANONYMOUS) => send(completeDeviceEnrollment, sender, { token, answer });
  },
});
