import { query } from "@/lib/client/client";
import type { OperationOutput } from "@/lib/client/operation-types";
import type { SecureCertificate } from "@/lib/features/certificates/schema";

/** The certificate files of an environment that have one of the formats, over all pages of the list. */
export async function environmentFiles(
  environmentId: string,
  formats: readonly SecureCertificate["format"][],
): Promise<SecureCertificate[]> {
  const items: SecureCertificate[] = [];
  let cursor: string | undefined;
  do {
    const page: OperationOutput<"apps/get-secure-certificates"> = await query("apps/get-secure-certificates", {
      environmentId,
      cursor,
      limit: 100,
    });
    items.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return items.filter(({ format }) => formats.includes(format));
}
