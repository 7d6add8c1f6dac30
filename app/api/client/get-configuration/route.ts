import { route } from "@/lib/api/route";
import { getConfiguration } from "@/lib/features/client/operations/get-configuration";

export const GET = route(getConfiguration);
