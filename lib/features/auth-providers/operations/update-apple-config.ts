import "server-only";
import { updateConfigOperation } from "@/lib/features/auth-providers/internal/config-operations";
import { shownConfigs, updateConfigInputs } from "../schema";

export const updateAppleConfig = updateConfigOperation("apple", updateConfigInputs.apple, shownConfigs.apple);
