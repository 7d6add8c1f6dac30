import "server-only";
import { getConfigOperation } from "../config-operations";
import { shownConfigs } from "../schema";

export const getAppleConfig = getConfigOperation("apple", shownConfigs.apple);
