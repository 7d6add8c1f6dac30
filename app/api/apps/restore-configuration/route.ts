import { route } from "@/lib/api/route";
import { restoreConfiguration } from "@/lib/features/configuration/operations/restore-configuration";

export const POST = route(restoreConfiguration);
