import { route } from "@/lib/api/route";
import { createGitlabConfig } from "@/lib/features/auth-providers/operations/create-gitlab-config";

export const POST = route(createGitlabConfig);
