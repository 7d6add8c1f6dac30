import { route } from "@/lib/api/route";
import { createGithubConfig } from "@/lib/features/auth-providers/operations/create-github-config";

export const POST = route(createGithubConfig);
