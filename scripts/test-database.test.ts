import pg from "pg";
import { describe, expect, it } from "vitest";
import { createTestDatabase, setUpTestDatabase } from "./test-database.ts";

async function ask(connectionString: string, sql: string) {
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

  it("are named by DATABASE_URL for the whole file", async () => {
    expect(await ask(String(process.env.DATABASE_URL), 'SELECT name FROM "Role"')).toEqual([{ name: "SUPER_ADMIN" }]);
  });

  it("are apart from each other", async () => {
    const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    await ask(one.url, "CREATE TABLE only_here ()");
    await expect(ask(two.url, "SELECT * FROM only_here")).rejects.toThrow(/does not exist/);
    await Promise.all([one.drop(), two.drop()]);
  });

  it("are gone once dropped, even under an open connection", async () => {
    const database = await createTestDatabase({ empty: true });
    const client = new pg.Client({ connectionString: database.url });
    client.on("error", () => {});
    await client.connect();
    await database.drop();
    await expect(ask(database.url, "SELECT 1")).rejects.toThrow(/does not exist/);
    await client.end().catch(() => {});
  });

  it("cannot be had in place of the server's own", async () => {
    const { url } = await createTestDatabase({ empty: true });
    await expect(ask(url, "CREATE DATABASE more")).rejects.toThrow(/permission denied/);
  });
});
