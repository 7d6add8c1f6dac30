import { route } from "@/lib/api/route";
import { createApiToken } from "@/lib/features/api-tokens/operations/create-api-token";

export const POST = route(createApiToken);
