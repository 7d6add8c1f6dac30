import "server-only";
import { readForm } from "@/lib/http/body";
import type { RequestFacts } from "@/lib/http/request-facts";
import type { RouteRequest } from "@/lib/http/routes";
import type { ApiError } from "@/lib/kernel/errors";
import { toApiError } from "./errors";
import { execute } from "./execute";
import type { FileUpload, Operation } from "./operation";
import { formStore } from "./route";

/**
 * Runs a public operation that takes a file with the form of a page that has no script.
 * @param known the fields that the page knows by its address
 * @returns the fields that were sent, and why they were not taken
 */
export async function takePageForm(
  operation: Operation & { file?: FileUpload | undefined },
  { request, facts, known }: { request: RouteRequest; facts: RequestFacts; known: Readonly<Record<string, string>> },
): Promise<{ sent: ReadonlyMap<string, string | null>; failure: ApiError | null }> {
  const sent = new Map<string, string | null>();
  const upload = operation.file as FileUpload;
  try {
    await execute(operation, {
      actor: async () => ({ kind: "anonymous", expired: false }),
      input: async ({ authorizeUpload, received }) => {
        const form = await readForm(request, upload, {
          field: async (name, value) => void sent.set(name, value),
          authorizeUpload: (fields) => authorizeUpload({ ...fields, ...known }),
          received,
          store: formStore(request, upload),
        });
        return { ...(form as object), ...known };
      },
      carriesFile: true,
      request: facts,
    });
    return { sent, failure: null };
  } catch (error) {
    return { sent, failure: toApiError(error) };
  }
}
