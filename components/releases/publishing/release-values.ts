import { z } from "zod";
import { createTestingDeployFields, releaseFileNameSchema } from "@/lib/features/releases/schema";
import { metadataRowsSchema } from "./metadata-rows";

const { shape } = createTestingDeployFields;

/** The longest name of an app or environment, in characters. */
export const MAX_PLACE_NAME = 100;

/** The name of the environment that is proposed if an app has none. Scripts use it, so it is not translated. */
export const FIRST_ENVIRONMENT = "Testing";

/** Stands for the ID of an app or environment that is added with the release. */
export const NEW = "new";

/** The form of a new release. */
export const releaseValuesSchema = z
  .object({
    appId: z.string(),
    appName: z.string().trim().max(MAX_PLACE_NAME),
    environmentId: z.string(),
    environmentName: z.string().trim().max(MAX_PLACE_NAME),
    description: shape.description,
    fileName: releaseFileNameSchema,
    platformId: z.string(),
    iosEnabled: z.boolean(),
    mandatory: z.boolean(),
    metadata: metadataRowsSchema,
    /** The IDs of the groups of testers that get the release, and whether they are told. */
    groups: z.array(z.string()),
    notify: z.boolean(),
  })
  .superRefine(({ appId, appName, environmentId, environmentName }, ctx) => {
    const missing = (path: string) =>
      ctx.addIssue({ code: "custom", path: [path], message: "required", params: { code: "required" } });
    if (appId === NEW && appName === "") missing("appName");
    if (environmentId === NEW && environmentName === "") missing("environmentName");
  });

export type ReleaseValues = z.input<typeof releaseValuesSchema>;
