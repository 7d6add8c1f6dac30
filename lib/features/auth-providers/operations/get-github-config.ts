import "server-only";
import { getConfigOperation } from "../config-operations";
import { shownConfigs } from "../schema";

export const getGithubConfig = getConfigOperation("github", shownConfigs.github);
