import "server-only";
import { getConfigOperation } from "@/lib/features/auth-providers/internal/config-operations";
import { shownConfigs } from "../schema";

export const getGitlabConfig = getConfigOperation("gitlab", shownConfigs.gitlab);
