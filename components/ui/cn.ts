import { type ClassValue, clsx } from "clsx";
import { mergeClasses } from "./tailwind-classes";

/** Joins class names. Of two Tailwind classes that set the same property, the later one wins. */
export function cn(...inputs: ClassValue[]): string {
  return mergeClasses(clsx(inputs));
}
