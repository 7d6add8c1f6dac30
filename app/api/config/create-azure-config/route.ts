import { route } from "@/lib/api/route";
import { createAzureConfig } from "@/lib/features/auth-providers/operations/create-azure-config";

export const POST = route(createAzureConfig);
