import { route } from "@/lib/api/route";
import { getGitlabConfig } from "@/lib/features/auth-providers/operations/get-gitlab-config";

export const GET = route(getGitlabConfig);
