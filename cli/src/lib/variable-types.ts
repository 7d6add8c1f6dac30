import type { EnvironmentFlags } from "./environment";
import type { OutputFlags } from "./output-file";

export const VARIABLE_FORMATS = ["dotenv", "json", "yaml"] as const;
export type VariableFormat = (typeof VARIABLE_FORMATS)[number];
export type VariableKind = "dev-variable" | "secure-variable";

export interface JsonFlags extends EnvironmentFlags {
  json: boolean;
}
export interface PullFlags extends EnvironmentFlags, OutputFlags {
  format: VariableFormat;
}
export interface DiffFlags extends EnvironmentFlags {
  format?: VariableFormat;
  replace: boolean;
}
export interface PushFlags extends DiffFlags {
  yes: boolean;
}
export interface CopyFlags extends EnvironmentFlags {
  to: string;
  dryRun: boolean;
  yes: boolean;
}
