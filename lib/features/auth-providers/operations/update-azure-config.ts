import "server-only";
import { updateConfigOperation } from "../config-operations";
import { shownConfigs, updateConfigInputs } from "../schema";

export const updateAzureConfig = updateConfigOperation("azure", updateConfigInputs.azure, shownConfigs.azure);
