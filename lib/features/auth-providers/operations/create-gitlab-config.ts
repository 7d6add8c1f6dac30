import "server-only";
import { createConfigOperation } from "../config-operations";
import { createConfigInputs, shownConfigs } from "../schema";

export const createGitlabConfig = createConfigOperation("gitlab", createConfigInputs.gitlab, shownConfigs.gitlab);
