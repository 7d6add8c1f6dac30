import { route } from "@/lib/api/route";
import { getGithubConfig } from "@/lib/features/auth-providers/operations/get-github-config";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(getGithubConfig);
