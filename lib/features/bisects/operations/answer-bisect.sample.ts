import { bisectSample } from "@/lib/testing/bisects";
import { answerBisect } from "./answer-bisect";

export const sample = bisectSample(answerBisect, { answer: "good" });
