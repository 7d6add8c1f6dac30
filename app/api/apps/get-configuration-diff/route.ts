import { route } from "@/lib/api/route";
import { getConfigurationDiff } from "@/lib/features/configuration/operations/get-configuration-diff";

export const GET = route(getConfigurationDiff);
