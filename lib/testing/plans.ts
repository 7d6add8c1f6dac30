import { databasePool } from "@/lib/db/client";

interface Statement {
  text: string;
  values: unknown[];
}

interface Explained {
  rows: { "QUERY PLAN": { Plan: { "Shared Hit Blocks": number; "Shared Read Blocks": number } }[] }[];
}

/** The statements that work runs with `queryRows` outside a transaction. */
export async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const pool = databasePool();
  const query = pool.query.bind(pool) as (statement: unknown) => Promise<unknown>;
  const statements: Statement[] = [];
  Object.assign(pool, {
    query: (statement: Statement) => {
      // What the planner expects has no plan of its own.
      if (!statement.text.startsWith("EXPLAIN")) statements.push(statement);
      return query(statement);
    },
  });
  try {
    await work();
  } finally {
    Object.assign(pool, { query });
  }
  return statements;
}

/**
 * The number of blocks that the statements of some work read, from PostgreSQL's buffers or from disk: what they cost,
 * without a clock. Run `VACUUM (ANALYZE)` on their tables first.
 */
export async function blocksRead(work: () => Promise<unknown>): Promise<number> {
  let blocks = 0;
  for (const { text, values } of await statementsOf(work)) {
    const plan: Explained = await databasePool().query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values);
    const root = plan.rows[0]?.["QUERY PLAN"][0]?.Plan;
    blocks += (root?.["Shared Hit Blocks"] ?? 0) + (root?.["Shared Read Blocks"] ?? 0);
  }
  return blocks;
}
