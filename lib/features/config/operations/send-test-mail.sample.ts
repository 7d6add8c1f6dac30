import { simpleSample } from "@/lib/testing/sample";
import { sendTestMail } from "./send-test-mail";

export const sample = simpleSample(sendTestMail, () => ({}));
