import { simpleSample } from "@/lib/testing/sample";
import { searchConsole } from "./search-console";

export const sample = simpleSample(searchConsole, () => ({ search: "orbit" }));
