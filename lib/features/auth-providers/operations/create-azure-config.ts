import "server-only";
import { createConfigOperation } from "@/lib/features/auth-providers/internal/config-operations";
import { createConfigInputs, shownConfigs } from "../schema";

export const createAzureConfig = createConfigOperation("azure", createConfigInputs.azure, shownConfigs.azure);
