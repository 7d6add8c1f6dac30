import { readFileSync } from "node:fs";
import { parseIdentities } from "@/lib/backup/age";
import { Refusal } from "./usage";

/** The secret keys in a file of `backup keygen` or age-keygen. @param file "-" reads standard input. @throws Refusal or BackupError */
export function readIdentities(file: string): string[] {
  let text: string;
  try {
    text = readFileSync(file === "-" ? process.stdin.fd : file, "utf8");
  } catch (error) {
    throw new Refusal(`${file} cannot be read: ${(error as Error).message}`);
  }
  return parseIdentities(text, file === "-" ? "standard input" : file);
}
