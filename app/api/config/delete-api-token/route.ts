import { route } from "@/lib/api/route";
import { deleteApiToken } from "@/lib/features/api-tokens/operations/delete-api-token";

export const POST = route(deleteApiToken);
