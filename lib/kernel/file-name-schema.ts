import { z } from "zod";
import { fileNameProblem, listExtensions, MAX_FILE_NAME_BYTES } from "./file-name";

/**
 * The schema of a file name in an input, for browser and server. An empty one is accepted; spaces at the ends and repeated
 * ones are left out.
 * @param extensions by what the file is; lower-case, without the dot
 */
export function fileNameSchema(extensions: readonly string[]) {
  return z
    .string()
    .overwrite((text) => text.normalize("NFC").replace(/ +/g, " ").trim())
    .max(MAX_FILE_NAME_BYTES)
    .superRefine((name, ctx) => {
      const problem = name === "" ? null : fileNameProblem(name, extensions);
      const params = { code: "invalid_format", values: { extensions: listExtensions(extensions) } };
      if (problem) ctx.addIssue({ code: "custom", message: problem, params });
    });
}
