import { route } from "@/lib/api/route";
import { updateAzureConfig } from "@/lib/features/auth-providers/operations/update-azure-config";

export const POST = route(updateAzureConfig);
