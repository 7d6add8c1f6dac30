import "server-only";
import { updateConfigOperation } from "@/lib/features/auth-providers/internal/config-operations";
import { shownConfigs, updateConfigInputs } from "../schema";

export const updateGoogleConfig = updateConfigOperation("google", updateConfigInputs.google, shownConfigs.google);
