import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { redeemToken } from "@/lib/auth/one-time-tokens";
import { consume, limiterKey } from "@/lib/http/rate-limit";
import { ApiError } from "@/lib/kernel/errors";
import { auditedDevice, enrollDevice, requireEnrollment } from "../data";
import { enrolledEvents } from "../internal/device-events";
import { enrollmentUrls, readEnrollmentAnswer, readEnrollmentSubject } from "../internal/enrollment";
import { completeDeviceEnrollmentInput, completedEnrollmentSchema, MAX_ANSWER_BYTES } from "../schema";

/** Answers for one registration, in the half-hour that it lasts. Devices send one. */
const PER_ENROLLMENT = { points: 10, seconds: 1_800 };
/** Answers for all registrations that one user began. */
const PER_USER = { points: 200, seconds: 3_600 };

/**
 * Takes the signed answer of a device and registers it as the user's who began the enrolment. The device itself sends its answer as the
 * body (`application/pkcs7-signature`) and is redirected to the page of the enrolment.
 */
export const completeDeviceEnrollment = defineCommand({
  area: "devices",
  name: "complete-device-enrollment",
  summary: "Register a device by its signed answer",
  access: "public",
  input: completeDeviceEnrollmentInput,
  output: completedEnrollmentSchema,
  status: 200,
  errors: ["invalid_token", "link_expired", "conflict"],
  rateLimit: { points: 60, seconds: 60, by: "address" },
  maxJsonBytes: 2 * MAX_ANSWER_BYTES,
  audit: { table: "Device", action: "create" },
  async prepare({ input: { token, answer }, db, request }) {
    const { userId } = readEnrollmentSubject(await requireEnrollment(db, token, request.now));
    // The holder of a token may send from any number of networks.
    await consume({ name: "enrollment-answers", limit: PER_ENROLLMENT, key: limiterKey(token) });
    await consume({ name: "enrollment-answers-user", limit: PER_USER, key: userId });
    return readEnrollmentAnswer(token, Buffer.from(answer, "base64"));
  },
  async handler({ input: { token }, prepared, tx, request: { now } }) {
    const redeemed = await redeemToken(tx, { token, purpose: "device-enrollment", now });
    if (!redeemed) throw new ApiError("link_expired", { detailKey: "detailEnrollment" });
    const { userId, name } = readEnrollmentSubject(redeemed.subject);
    const { before, after } = await enrollDevice(tx, userId, { ...prepared, name }, now);
    return {
      output: { url: enrollmentUrls(token).enrollmentUrl },
      audit: {
        recordId: after.id,
        userId,
        action: before ? "update" : "create",
        changes: changesBetween(before && auditedDevice(before), auditedDevice(after)),
      },
      // One that told of itself before was enrolled then.
      events: before?.lastSeenAt ? [] : enrolledEvents(after),
    };
  },
});
