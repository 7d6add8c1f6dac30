import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { issueToken } from "@/lib/auth/one-time-tokens";
import { enrollmentSubject, enrollmentUrls } from "../internal/enrollment";
import { deviceEnrollmentSchema, startDeviceEnrollmentInput } from "../schema";

/** Begins to register an iPhone or iPad as the caller's. The addresses work for 30 minutes and for one device. */
export const startDeviceEnrollment = defineCommand({
  area: "devices",
  name: "start-device-enrollment",
  summary: "Begin to register an iPhone or iPad as one’s own",
  access: "user",
  input: startDeviceEnrollmentInput,
  output: deviceEnrollmentSchema,
  status: 201,
  errors: [],
  rateLimit: { points: 60, seconds: 3_600, by: "actor" },
  audit: { table: "Device", action: "enroll" },
  async handler({ input: { name }, actor: { userId }, tx, request }) {
    const issued = await issueToken(tx, {
      purpose: "device-enrollment",
      subject: enrollmentSubject(userId, name),
      now: request.now,
    });
    return {
      output: { ...enrollmentUrls(issued.token), expiresAt: issued.expiresAt.toISOString() },
      audit: { recordId: null, changes: {} },
    };
  },
});
