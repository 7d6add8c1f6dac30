import "server-only";
import { createConfigOperation } from "../config-operations";
import { createConfigInputs, shownConfigs } from "../schema";

export const createGithubConfig = createConfigOperation("github", createConfigInputs.github, shownConfigs.github);
