import "server-only";
import { createConfigOperation } from "../config-operations";
import { createConfigInputs, shownConfigs } from "../schema";

export const createAppleConfig = createConfigOperation("apple", createConfigInputs.apple, shownConfigs.apple);
