import "server-only";
import { toString as toQrCode } from "qrcode";
import { z } from "zod";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { newTotpSecret, totpUri } from "@/lib/auth/totp";
import { findUser } from "@/lib/features/auth/data";
import { readAppConfig } from "@/lib/features/config/data";
import { ApiError } from "@/lib/kernel/errors";
import { beginEnrollment } from "../data";
import { enrollmentSchema } from "../schema";

/**
 * Begins the enrollment of an authenticator app. It takes effect with the first validated code. Calling it again before
 * that replaces the secret.
 */
export const enrollTwoFactor = defineCommand({
  area: "auth",
  name: "enroll-two-factor",
  summary: "Begin to set up two-factor authentication",
  access: "user",
  secondFactor: "recentIfEnrolled",
  input: z.strictObject({}),
  output: enrollmentSchema,
  status: 200,
  errors: ["two_factor_enabled"],
  rateLimit: { points: 20, seconds: 300, by: "actor" },
  audit: { table: "TwoFactor", action: "enroll" },
  async prepare({ actor, db }) {
    const user = orNotFound(await findUser(db, actor.userId));
    const { name: issuer } = await readAppConfig(db);
    const secret = newTotpSecret();
    const otpauthUrl = totpUri({ issuer, account: user.email, secret });
    const qrSvg = await toQrCode(otpauthUrl, { type: "svg", errorCorrectionLevel: "M" });
    return { userId: user.id, secret, otpauthUrl, qrSvg };
  },
  async handler({ prepared, tx }) {
    const { userId, ...enrollment } = prepared;
    if (!(await beginEnrollment(tx, userId, enrollment.secret))) throw new ApiError("two_factor_enabled");
    return { output: enrollment, audit: { recordId: userId, changes: {} } };
  },
});
