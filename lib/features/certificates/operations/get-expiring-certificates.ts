import "server-only";
import { EXPIRY_STEPS, expiryStep } from "@slipway/certificates";
import { defineQuery } from "@/lib/api/operation";
import { listExpiring } from "@/lib/expiry/expiring";
import { expiringCertificatesInput, expiringCertificatesSchema } from "../schema";

/** Lists the certificates that have expired or expire soon, for the dashboard. */
export const getExpiringCertificates = defineQuery({
  area: "apps",
  name: "get-expiring-certificates",
  summary: "List the certificates that have expired or expire within 30 days",
  access: "admin",
  input: expiringCertificatesInput,
  output: expiringCertificatesSchema,
  errors: [],
  async handler({ db, request: { now } }) {
    const kinds = ["certificate", "signing_key"] as const;
    const { items, total } = await listExpiring(db, "console", { within: EXPIRY_STEPS[0], kinds, now });
    return {
      items: items.flatMap(({ id, name, app, environment, endsAt }) =>
        app && environment
          ? [
              {
                ...{ id, name, app, environment, expirationDate: endsAt },
                // Each one is within the first step.
                expires: expiryStep(new Date(endsAt), now) ?? EXPIRY_STEPS[0],
              },
            ]
          : [],
      ),
      total,
    };
  },
});
