import { route } from "@/lib/api/route";
import { deleteApiToken } from "@/lib/features/api-tokens/operations/delete-api-token";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(deleteApiToken);
