import "server-only";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { releaseTarget } from "@/lib/features/releases/data/releases";
import { requestAppleRegistrations } from "@/lib/jobs/apple-registrations";
import { devicesToRegister, missingIn, requireListedDevices } from "../data";
import { beginRegistration, findRegistration } from "../internal/apple-registrations";
import { appleRegistrationSchema, startAppleRegistrationInput } from "../schema";

/** Begins to register devices with Apple, in the background. While one is under way for the environment, that one is answered. */
export const startAppleRegistration = defineCommand({
  area: "devices",
  name: "start-apple-registration",
  summary: "Register devices with Apple, with the App Store Connect key of an environment",
  access: "admin",
  rateLimit: { points: 20, seconds: 600, by: "actor" },
  input: startAppleRegistrationInput,
  output: appleRegistrationSchema,
  status: 200,
  errors: ["not_found", "conflict"],
  audit: { table: "Environment", action: "register-devices" },
  async handler({ input: { environmentId, releaseId }, tx, request: { now } }) {
    const release = releaseId === undefined ? null : orNotFound(await releaseTarget(tx, releaseId)).release;
    if (release) {
      orNotFound(release.environment.id === environmentId || null);
      await requireListedDevices(tx, release);
    }
    const devices = release ? missingIn(release) : await devicesToRegister(tx, environmentId);
    const { id, isNew } = await beginRegistration(tx, { environmentId, devices, now });
    if (isNew) await requestAppleRegistrations(tx);
    const registration = await findRegistration(tx, id);
    const changes = changesBetween(null, { devices: registration.total, ...(releaseId && { releaseId }) });
    return { output: registration, audit: { recordId: environmentId, changes } };
  },
});
