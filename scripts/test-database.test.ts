import pg from "pg";
import { describe, expect, it } from "vitest";
import { createTestDatabase, setUpTestDatabase } from "./test-database.ts";

async function query(connectionString: string, sql: string) {
  const client = new pg.Client({ connectionString });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

describe("test databases", () => {
  setUpTestDatabase();

  it("are set as DATABASE_URL for the whole file", async () => {
    expect(await query(String(process.env.DATABASE_URL), 'SELECT name FROM "Role"')).toEqual([{ name: "SUPER_ADMIN" }]);
  });

  it("are independent of each other", async () => {
    const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    await query(one.url, "CREATE TABLE only_here ()");
    await expect(query(two.url, "SELECT * FROM only_here")).rejects.toThrow(/does not exist/);
    await Promise.all([one.drop(), two.drop()]);
  });

  it("are dropped even while a connection is open", async () => {
    const database = await createTestDatabase({ empty: true });
    const client = new pg.Client({ connectionString: database.url });
    client.on("error", () => {});
    await client.connect();
    await database.drop();
    await expect(query(database.url, "SELECT 1")).rejects.toThrow(/does not exist/);
    await client.end().catch(() => {});
  });

  it("do not allow their owner to create databases", async () => {
    const { url } = await createTestDatabase({ empty: true });
    await expect(query(url, "CREATE DATABASE more")).rejects.toThrow(/permission denied/);
  });
});
