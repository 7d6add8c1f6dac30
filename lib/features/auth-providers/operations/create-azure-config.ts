import "server-only";
import { createConfigOperation } from "../config-operations";
import { createConfigInputs, shownConfigs } from "../schema";

export const createAzureConfig = createConfigOperation("azure", createConfigInputs.azure, shownConfigs.azure);
