"use client";

import { useSyncExternalStore } from "react";
import type { Publication, PublicationState } from "./publication";

const nothing = () => () => undefined;

/** The state of a publication; null without one. */
export function usePublication(publication: Publication | null): PublicationState | null {
  return useSyncExternalStore(publication?.subscribe ?? nothing, publication?.get ?? (() => null), () => null);
}
