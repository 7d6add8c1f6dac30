import "server-only";
import { getConfigOperation } from "@/lib/features/auth-providers/internal/config-operations";
import { shownConfigs } from "../schema";

export const getGithubConfig = getConfigOperation("github", shownConfigs.github);
