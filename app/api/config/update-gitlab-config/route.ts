import { route } from "@/lib/api/route";
import { updateGitlabConfig } from "@/lib/features/auth-providers/operations/update-gitlab-config";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(updateGitlabConfig);
