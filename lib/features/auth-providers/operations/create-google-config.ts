import "server-only";
import { createConfigOperation } from "../config-operations";
import { createConfigInputs, shownConfigs } from "../schema";

export const createGoogleConfig = createConfigOperation("google", createConfigInputs.google, shownConfigs.google);
