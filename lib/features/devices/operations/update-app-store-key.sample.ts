import { newId } from "@/lib/kernel/ids";
import { anAppStoreKeyFile } from "@/lib/testing/app-store-connect";
import { send } from "@/lib/testing/console";
import { customSample } from "@/lib/testing/sample";
import { updateAppStoreKey } from "./update-app-store-key";

const ids = { keyId: "2X9R4HXF34", issuerId: "57246542-96fe-1a63-e053-0824d011072a" };

export const sample = customSample(updateAppStoreKey, {
  input: ({ environmentId }) => ({ environmentId, certificateId: newId(), ...ids }),
  arrange: async ({ environmentId, verifiedAdmin }, owner = verifiedAdmin) => {
    const certificateId = await anAppStoreKeyFile(verifiedAdmin, environmentId);
    return (sender = owner) => send(updateAppStoreKey, sender, { environmentId, certificateId, ...ids });
  },
});
