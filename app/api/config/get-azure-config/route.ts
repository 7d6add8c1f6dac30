import { route } from "@/lib/api/route";
import { getAzureConfig } from "@/lib/features/auth-providers/operations/get-azure-config";

export const GET = route(getAzureConfig);
