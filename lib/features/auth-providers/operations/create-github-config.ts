import "server-only";
import { createConfigOperation } from "@/lib/features/auth-providers/internal/config-operations";
import { createConfigInputs, shownConfigs } from "../schema";

export const createGithubConfig = createConfigOperation("github", createConfigInputs.github, shownConfigs.github);
