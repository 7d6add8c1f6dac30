import { newId } from "@/lib/kernel/ids";
import { sendCertificate } from "@/lib/testing/certificates";
import { send } from "@/lib/testing/console";
import { customSample } from "@/lib/testing/sample";
import { updateSigningKey } from "./update-signing-key";

export const sample = customSample(updateSigningKey, {
  input: ({ environmentId }) => ({ environmentId, certificateId: newId(), alias: "1" }),
  arrange: async ({ environmentId, verifiedAdmin }, owner = verifiedAdmin) => {
    const { body } = await sendCertificate(verifiedAdmin, "keytool.p12", { environmentId, password: "secret" });
    return (sender = owner) => send(updateSigningKey, sender, { environmentId, certificateId: body.id, alias: "1" });
  },
});
