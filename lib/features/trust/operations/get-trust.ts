import "server-only";
import { isIP } from "node:net";
import { z } from "zod";
import { defineQuery } from "@/lib/api/operation";
import { bareHost } from "@/lib/kernel/bare-host";
import { env } from "@/lib/kernel/env";
import { requireAuthority } from "../internal/authority";
import { trustSchema } from "../schema";

/** Describes the authority that signs the certificate of a console on the local network. Devices need it before they can sign in. */
export const getTrust = defineQuery({
  area: "trust",
  name: "get-trust",
  summary: "Get the certificate authority of a console on the local network",
  access: "public",
  input: z.strictObject({}),
  output: trustSchema,
  errors: ["not_found"],
  async handler() {
    const { certificate, name } = await requireAuthority();
    return {
      name,
      url: env.APP_URL,
      hosts: env.LAN_HOSTS.filter((host) => isIP(host) === 0),
      isAddress: isIP(bareHost(new URL(env.APP_URL))) !== 0,
      fingerprint: certificate.fingerprint256,
      expiresAt: certificate.validToDate.toISOString(),
    };
  },
});
