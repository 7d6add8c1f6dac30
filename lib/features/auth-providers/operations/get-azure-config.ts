import "server-only";
import { getConfigOperation } from "../config-operations";
import { shownConfigs } from "../schema";

export const getAzureConfig = getConfigOperation("azure", shownConfigs.azure);
