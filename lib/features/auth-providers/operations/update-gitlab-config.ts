import "server-only";
import { updateConfigOperation } from "@/lib/features/auth-providers/internal/config-operations";
import { shownConfigs, updateConfigInputs } from "../schema";

export const updateGitlabConfig = updateConfigOperation("gitlab", updateConfigInputs.gitlab, shownConfigs.gitlab);
