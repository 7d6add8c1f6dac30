import "server-only";
import { createHash } from "node:crypto";
import { access, constants, readFile, realpath } from "node:fs/promises";
import { basename, delimiter, dirname, join } from "node:path";
import { env, environmentVariables } from "@/lib/kernel/env";
import bundletool from "./bundletool.json";

/** The programs that make APKs from a bundle. */
export interface BundleTools {
  java: string;
  keytool: string;
  aapt2: string;
  /** bundletool and the libraries that it needs. */
  jars: readonly string[];
}

/** What is missing of them. */
export type MissingTool = "java_missing" | "bundletool_missing" | "aapt2_missing";

async function executable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** The first of some paths at which there is a program. */
async function firstProgram(paths: readonly string[]): Promise<string | null> {
  for (const path of paths) if (await executable(path)) return path;
  return null;
}

function onPath(name: string): string[] {
  return (environmentVariables().PATH ?? "")
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, name));
}

/** The folder of bundletool, of the runtime of Java and of aapt2, each of which may be elsewhere. */
function bundletoolFolder(): string {
  return env.BUNDLETOOL_DIR ?? join(env.DATA_DIR, "bundletool");
}

/** bundletool's files, if they are there and are those that this version of the console was tested with; otherwise null. */
async function verifiedJars(folder: string): Promise<string[] | null> {
  const files = await Promise.all(
    bundletool.jars.map(async ({ path, sha256 }) => {
      const file = join(folder, basename(path));
      const bytes = await readFile(file).catch(() => null);
      return bytes && createHash("sha256").update(bytes).digest("hex") === sha256 ? file : null;
    }),
  );
  return files.every((file) => file !== null) ? files : null;
}

/** Finds the programs, or says what is missing first. */
export async function findBundleTools(folder = bundletoolFolder()): Promise<BundleTools | MissingTool> {
  const home = environmentVariables().JAVA_HOME;
  const homes = [join(folder, "java"), ...(home ? [home] : [])];
  const java = await firstProgram([...homes.map((one) => join(one, "bin", "java")), ...onPath("java")]);
  if (!java) return "java_missing";
  // On the PATH, java is a link into the folder that has keytool.
  const keytool = await firstProgram([
    join(dirname(await realpath(/*turbopackIgnore: true*/ java)), "keytool"),
    ...onPath("keytool"),
  ]);
  if (!keytool) return "java_missing";
  const jars = await verifiedJars(folder);
  if (!jars) return "bundletool_missing";
  const aapt2 = await firstProgram([join(folder, "aapt2"), ...onPath("aapt2")]);
  return aapt2 ? { java, keytool, aapt2, jars } : "aapt2_missing";
}
