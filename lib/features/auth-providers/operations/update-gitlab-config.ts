import "server-only";
import { updateConfigOperation } from "../config-operations";
import { shownConfigs, updateConfigInputs } from "../schema";

export const updateGitlabConfig = updateConfigOperation("gitlab", updateConfigInputs.gitlab, shownConfigs.gitlab);
