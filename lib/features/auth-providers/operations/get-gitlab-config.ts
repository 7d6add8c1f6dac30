import "server-only";
import { getConfigOperation } from "../config-operations";
import { shownConfigs } from "../schema";

export const getGitlabConfig = getConfigOperation("gitlab", shownConfigs.gitlab);
