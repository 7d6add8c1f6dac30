import { route } from "@/lib/api/route";
import { getConfigurationVersions } from "@/lib/features/configuration/operations/get-configuration-versions";

export const GET = route(getConfigurationVersions);
