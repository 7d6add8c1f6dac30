import "server-only";
import { createConfigOperation } from "@/lib/features/auth-providers/internal/config-operations";
import { createConfigInputs, shownConfigs } from "../schema";

export const createAppleConfig = createConfigOperation("apple", createConfigInputs.apple, shownConfigs.apple);
