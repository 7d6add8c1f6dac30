import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { tokenTarget } from "@/lib/features/environments/data";
import { readConfiguration, revealOf, toClientCertificate } from "../data";
import { certificatesOutput, configurationInput } from "../schema";

/** The files of the secure certificates, for an app or a server. */
export const getClientSecureCertificates = defineQuery({
  area: "client",
  name: "get-secure-certificates",
  summary: "Get the secure certificates of the token’s environment, with their files and passwords",
  access: { client: "secure-certificate:read" },
  input: configurationInput,
  output: certificatesOutput,
  errors: [],
  signed: true,
  audit: { table: "SecureCertificate", action: "reveal", stepwise: true },
  target: async (_input, _db, actor) => tokenTarget(actor),
  async handler({ input, actor, target, db, request }) {
    const kind = "secure-certificate";
    const configuration = await readConfiguration(db, target.environmentId, {
      kinds: [kind],
      secrets: [kind],
      version: input.configurationVersion,
    });
    const certificates = configuration.ofKind(kind).map((entry) => ({
      ...toClientCertificate(entry),
      value: entry.secret?.value.toString("base64") as string,
      password: entry.secret?.password ?? undefined,
    }));
    return {
      output: { configurationVersion: configuration.version, certificates },
      audit: revealOf(kind, configuration, { actor, request }),
    };
  },
});
