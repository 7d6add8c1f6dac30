import { Store } from "@/components/common/store";
import type { Publication } from "./publication";

/** The releases that this page is publishing, and those that were published or failed while no dialog showed them. */
export const publications = new Store<readonly Publication[]>([]);

export function addPublication(publication: Publication): void {
  publications.set([...publications.get(), publication]);
}

export function removePublication(publication: Publication): void {
  publications.set(publications.get().filter((one) => one !== publication));
}
