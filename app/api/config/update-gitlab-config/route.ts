import { route } from "@/lib/api/route";
import { updateGitlabConfig } from "@/lib/features/auth-providers/operations/update-gitlab-config";

export const POST = route(updateGitlabConfig);
