import "server-only";
import type { Db } from "@/lib/db/client";
import type { Actor } from "@/lib/permissions/actor";
import { listReleases, type ReleaseFilters } from "../data/lists";
import type { ReadPlace } from "../data/read-places";
import { keepRenderedNotes } from "../data/releases";
import { scopesByEnvironment } from "./rights";

/** One page of the releases of some places, with the caller's scopes in each environment of the page. */
export async function releasePage(
  { actor, db, after }: { actor: Actor; db: Db; after(work: () => Promise<void>): void },
  places: readonly ReadPlace[],
  input: ReleaseFilters,
) {
  const { read, ...page } = await listReleases(db, places, input);
  after(() => keepRenderedNotes(db, read));
  return { ...page, environments: scopesByEnvironment(actor, page.items) };
}
