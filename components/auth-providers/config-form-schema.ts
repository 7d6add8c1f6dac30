import { z } from "zod";
import { updateConfigInputs } from "@/lib/features/auth-providers/schema";

const { apple, azure, gitlab } = updateConfigInputs;

/** Whether a secret is saved. Then it stays where the field is left empty. */
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
  apple.required().extend({ privateKey: secret(apple.shape.privateKey, isSet) });

export const azureForm = (isSet: IsSet) =>
  azure.required().extend({ clientSecret: secret(azure.shape.clientSecret, isSet) });

/** GitHub's, GitLab's and Google's: they are configured alike. Left empty, the base is the public service's. */
export const oauthForm = (isSet: IsSet) =>
  gitlab.required().extend({
    clientSecret: secret(gitlab.shape.clientSecret, isSet),
    baseUrl: z.union([gitlab.shape.baseUrl.unwrap().unwrap(), z.literal("").transform(() => null)]),
  });
