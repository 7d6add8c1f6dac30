import { route } from "@/lib/api/route";
import { updateGithubConfig } from "@/lib/features/auth-providers/operations/update-github-config";

export const POST = route(updateGithubConfig);
