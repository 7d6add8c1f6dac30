import "server-only";
import { getConfigOperation } from "../config-operations";
import { shownConfigs } from "../schema";

export const getGoogleConfig = getConfigOperation("google", shownConfigs.google);
