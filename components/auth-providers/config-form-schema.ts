import { z } from "zod";
import { updateConfigInputs } from "@/lib/features/auth-providers/schema";

const { apple, azure, gitlab } = updateConfigInputs;

/** Whether a secret is saved. If so, an empty field keeps it. */
type IsSet = () => boolean;

const secret = (schema: typeof azure.shape.clientSecret, isSet: IsSet) =>
  z.union([
    z
      .literal("")
      .refine(isSet, { error: "required" })
      .transform(() => undefined),
    schema.unwrap(),
  ]);

export const appleForm = (isSet: IsSet) =>
  apple
    .omit({ ifUpdatedAt: true })
    .required()
    .extend({ privateKey: secret(apple.shape.privateKey, isSet) });

export const azureForm = (isSet: IsSet) =>
  azure
    .omit({ ifUpdatedAt: true })
    .required()
    .extend({ clientSecret: secret(azure.shape.clientSecret, isSet) });

/** The form of GitHub, GitLab and Google, which have the same fields. An empty base URL means the public service. */
export const oauthForm = (isSet: IsSet) =>
  gitlab
    .omit({ ifUpdatedAt: true })
    .required()
    .extend({
      clientSecret: secret(gitlab.shape.clientSecret, isSet),
      baseUrl: z.union([gitlab.shape.baseUrl.unwrap().unwrap(), z.literal("").transform(() => null)]),
    });
