import { route } from "@/lib/api/route";
import { updateAzureConfig } from "@/lib/features/auth-providers/operations/update-azure-config";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(updateAzureConfig);
