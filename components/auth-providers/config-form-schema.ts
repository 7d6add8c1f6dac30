import { z } from "zod";
import { updateConfigInputs } from "@/lib/features/auth-providers/schema";

const { apple, azure, gitlab } = updateConfigInputs;

/** Left empty, a secret stays as it is; where there is none yet, the server asks for it. */
const secret = (schema: typeof azure.shape.clientSecret) =>
  z.union([schema.unwrap(), z.literal("").transform(() => undefined)]);

export const appleForm = apple.required().extend({ privateKey: secret(apple.shape.privateKey) });
export const azureForm = azure.required().extend({ clientSecret: secret(azure.shape.clientSecret) });
/** GitHub's, GitLab's and Google's: they are configured alike. Left empty, the base is the public service's. */
export const oauthForm = gitlab.required().extend({
  clientSecret: secret(gitlab.shape.clientSecret),
  baseUrl: z.union([gitlab.shape.baseUrl.unwrap().unwrap(), z.literal("").transform(() => null)]),
});
