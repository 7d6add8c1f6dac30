import { DEVICE_SYSTEMS } from "@slipway/installers";
import { z } from "zod";
import { csvFormat, inPeriod, listInput, listOutput, periodFilters } from "@/lib/api/list";
import { idSchema } from "@/lib/kernel/ids-schema";
import { CHECK_RESULTS, INSTALL_CHECKS } from "@/lib/kernel/install-check-codes";
import { INSTALL_STEPS, STOPPING_STEPS } from "@/lib/kernel/install-steps";

/** The release that is checked; by default the newest one of each system that the caller may read. */
export const runInstallCheckInput = z.strictObject({ id: idSchema.optional() });

/** The checks of the way on which phones install a release, in the order in which a phone goes. */
export const installCheckSchema = z.object({
  /** Whether no check failed. What was skipped is not known. */
  ok: z.boolean(),
  checks: z.array(
    z.object({
      code: z.enum(INSTALL_CHECKS),
      result: z.enum(CHECK_RESULTS),
      /** What is checked, in the caller's language. */
      title: z.string(),
      /** What was found, in technical terms; empty if nothing was. */
      seen: z.string(),
      /** What to do, or why it was skipped, in the caller's language; null if it is right. */
      advice: z.string().nullable(),
    }),
  ),
  ranAt: z.iso.datetime(),
});
export type InstallCheck = z.output<typeof installCheckSchema>;

export const getInstallCheckInput = z.strictObject({ id: idSchema });

/** The last check of a release; null if it was never checked. */
export const lastInstallCheckSchema = z.object({ check: installCheckSchema.nullable() });

const count = z.int();
const stepCounts = { opened: count, tapped: count, manifest: count, begun: count, complete: count, icons: count };
const systemSchema = z.enum(DEVICE_SYSTEMS);

/**
 * A release, an environment, or an application in the environments in which the caller may read releases. The period is of days in
 * UTC on which visits began.
 */
export const getInstallFunnelInput = inPeriod(
  z.strictObject({
    releaseId: idSchema.optional(),
    environmentId: idSchema.optional(),
    appId: idSchema.optional(),
    ...periodFilters,
    /** `csv`: a row for each day, system and model. */
    ...csvFormat,
  }),
).superRefine((input, context) => {
  if ([input.releaseId, input.environmentId, input.appId].filter(Boolean).length !== 1)
    context.addIssue({ code: "custom", path: ["releaseId"], message: "onePlace" });
});

/**
 * How far visitors came. A visit is that of one person to one release; it reaches each step once, and counts on the day on which it
 * began.
 */
export const installFunnelSchema = z.object({
  /** In their order; those that the release has. `icons` is fetched beside the package. */
  steps: z.array(z.object({ step: z.enum(INSTALL_STEPS), count })),
  /** Visits whose package the store sends, so that it is not known whether it was sent whole. */
  unseen: count,
  /** Days with visits, in their order; at most the last 366. */
  byDay: z.array(z.object({ day: z.iso.date(), ...stepCounts })),
  /** The systems with the most visits first. `version`: the first number of the iOS version, or the Android API level. */
  byOs: z.array(z.object({ os: systemSchema, version: z.string().nullable(), ...stepCounts })),
  /** The models with the most visits first; `device` is null where it is not known. */
  byDevice: z.array(z.object({ device: z.string().nullable(), name: z.string().nullable(), ...stepCounts })),
  /** Where visits that are not complete have stopped until now, with the codes of what is in the way there, the most first. */
  stoppedAt: z.array(z.object({ step: z.enum(STOPPING_STEPS), codes: z.array(z.string()), count })),
});
export type InstallFunnel = z.output<typeof installFunnelSchema>;

/** The people of a release or of an environment. @param step those who came no further */
export const getReleasePeopleInput = listInput({
  sorts: ["-lastAt"],
  filters: {
    releaseId: idSchema.optional(),
    environmentId: idSchema.optional(),
    step: z.enum([...STOPPING_STEPS, "complete"]).optional(),
    ...csvFormat,
  },
}).superRefine((input, context) => {
  if ((input.releaseId === undefined) === (input.environmentId === undefined))
    context.addIssue({ code: "custom", path: ["releaseId"], message: "onePlace" });
});

const releasePersonSchema = z.object({
  user: z.object({ id: idSchema, name: z.string(), email: z.string() }),
  release: z.object({ id: idSchema, version: z.string(), buildNumber: z.string() }),
  /** The last step that the person reached. */
  step: z.enum([...STOPPING_STEPS, "complete"]),
  /** Whether the package was sent whole; null if the store sends it, so that it is not known. */
  complete: z.boolean().nullable(),
  /** The codes of what is in the way on the device, or has to be done there; empty once the package was sent. */
  codes: z.array(z.string()),
  os: systemSchema,
  /** An iOS version or an Android API level. */
  osVersion: z.string().nullable(),
  model: z.string().nullable(),
  modelName: z.string().nullable(),
  openedAt: z.iso.datetime().nullable(),
  completeAt: z.iso.datetime().nullable(),
  lastAt: z.iso.datetime(),
});
export type ReleasePerson = z.output<typeof releasePersonSchema>;
export const releasePeopleOutput = listOutput(releasePersonSchema);
