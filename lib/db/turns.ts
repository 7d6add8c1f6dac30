import "server-only";
import { type Sql, sql } from "./query";

/**
 * The turns of those whose work waits in a table, such as callers or applications: of those who have something due, the one whose last
 * turn was longest ago is next. A run of the work has one. Several instances that work at the same time let each take turns on its own.
 */
export class Turns {
  /** IDs, the one that was served last is the last. */
  #served: readonly string[] = [];

  /** The `ORDER BY` of turns. @param id the ID of who waits, in SQL */
  order(id: Sql): Sql {
    return sql`array_position(${[...this.#served]}::uuid[], ${id}) NULLS FIRST`;
  }

  /** Keeps who had a turn. */
  took(ids: readonly string[]): void {
    if (ids.length > 0) this.#served = [...this.#served.filter((id) => !ids.includes(id)), ...new Set(ids)];
  }
}
