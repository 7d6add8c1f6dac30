import "server-only";
import { createConfigOperation } from "@/lib/features/auth-providers/internal/config-operations";
import { createConfigInputs, shownConfigs } from "../schema";

export const createGitlabConfig = createConfigOperation("gitlab", createConfigInputs.gitlab, shownConfigs.gitlab);
