/** Names of `.env` files (`.env`, `.env.local`, `staging.env`) and of JSON, YAML and text files. */
const FILE_NAME = /(?:^|[._-])env(?:$|[._-])|\.(?:json|ya?ml|txt)$/i;

/** Whether a file of this name can contain variables. */
export function isVariablesFileName(name: string): boolean {
  return FILE_NAME.test(name);
}

/** The text of a file. @returns null if the file cannot be read or is not UTF-8 text, which would change the values */
export async function readText(file: Blob): Promise<string | null> {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}
