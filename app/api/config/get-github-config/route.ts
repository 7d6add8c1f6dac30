import { route } from "@/lib/api/route";
import { getGithubConfig } from "@/lib/features/auth-providers/operations/get-github-config";

export const GET = route(getGithubConfig);
