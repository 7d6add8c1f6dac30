import { z } from "zod";
import { variableKindSchema } from "@/lib/features/configuration/schema";
import { idSchema } from "@/lib/kernel/ids-schema";
import { SCOPES } from "@/lib/permissions/scopes";

/** The maximum length of a search, in characters. */
const MAX_SEARCH = 200;

const named = z.object({ id: idSchema, name: z.string() });

/** An app to switch to, with its first environments by name. */
const navigationAppSchema = named.extend({
  iconUrl: z.string().nullable(),
  environments: z.array(named.extend({ scopes: z.array(z.enum(SCOPES)) })),
  /** Whether it has more environments than `environments`. */
  hasMoreEnvironments: z.boolean(),
});
export type NavigationApp = z.output<typeof navigationAppSchema>;

export const navigationOutput = z.object({
  apps: z.array(navigationAppSchema),
  /** Whether there are more apps than `apps`. */
  hasMoreApps: z.boolean(),
});

export const searchConsoleInput = z.strictObject({
  search: z.string().trim().min(1).max(MAX_SEARCH),
  /** The words that name an app, an environment or a platform, if others of the search name an action. */
  place: z.string().trim().max(MAX_SEARCH).optional(),
});

const foundRelease = z.object({
  id: idSchema,
  version: z.string(),
  buildNumber: z.string(),
  displayName: z.string(),
  /** The first line of the release notes. */
  summary: z.string(),
  iconUrl: z.string().nullable(),
  deployDate: z.iso.datetime(),
  app: named,
  environment: named,
  platform: named,
});

export const searchConsoleOutput = z.object({
  apps: z.array(named.extend({ identifier: z.string(), iconUrl: z.string().nullable() })),
  environments: z.array(named.extend({ app: named, scopes: z.array(z.enum(SCOPES)) })),
  /** The latest installable release of each platform in the environments that the words name. */
  latest: z.array(foundRelease),
  releases: z.array(foundRelease),
  /** The variables whose keys the caller reads; secure ones only for people who have passed a second factor. */
  variables: z.array(
    z.object({
      id: idSchema,
      kind: variableKindSchema,
      key: z.string(),
      name: z.string(),
      app: named,
      environment: named,
    }),
  ),
  /** Of these two, only administrators find any. */
  users: z.array(named.extend({ email: z.string(), avatarUrl: z.string().nullable() })),
  roles: z.array(named),
});
