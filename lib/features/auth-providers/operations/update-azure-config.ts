import "server-only";
import { updateConfigOperation } from "@/lib/features/auth-providers/internal/config-operations";
import { shownConfigs, updateConfigInputs } from "../schema";

export const updateAzureConfig = updateConfigOperation("azure", updateConfigInputs.azure, shownConfigs.azure);
