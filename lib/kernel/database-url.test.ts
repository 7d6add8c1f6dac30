import { expect, it } from "vitest";
import { connectionUrl, databaseUrlProblem } from "./database-url";

it.each([
  "postgresql://localhost/x",
  "postgres://me:secret@db.example.com:5432/x",
  "postgresql://me:p%40ss%2Fw%3A%23%25%3F%20%C3%A4@db:5432/x?sslmode=verify-full",
  "postgresql://me@[2001:db8::1]:5432/x",
  "postgresql://me:secret@/x?host=/run/postgresql",
  "postgresql://%2Frun%2Fpostgresql/x",
  "postgresql://db/x?user=me@server&application_name=a/b",
  "postgresql://db",
])("%s is a URL of a database", (url) => {
  expect(databaseUrlProblem(url)).toBeUndefined();
});

it.each(["p@ss", "p@", "p#ss", "p/ss", "1/ss", "p?ss", "1?ss", "p ss", "p%ss", "100%", "p@ss/w:rd#?"])(
  "a password with a special character that is not encoded is refused with the way out, and not repeated: %s",
  (password) => {
    for (const place of ["db:5432/x", "db"]) {
      const problem = databaseUrlProblem(`postgresql://me:${password}@${place}`);
      expect(problem).toMatch(/%40.*%23.*DATABASE_PASSWORD/);
      expect(problem).not.toContain("ss@");
    }
  },
);

it("another scheme and another mode of TLS are refused", () => {
  expect(databaseUrlProblem("mysql://db/x")).toBe("must be a postgresql:// URL");
  expect(databaseUrlProblem("postgresql://db/x?sslmode=on")).toMatch(/^sslmode must be one of disable,/);
});

it.each([
  ["", ""],
  ["?connect_timeout=3", "?connect_timeout=3"],
  ["?sslmode=disable", "?sslmode=disable"],
  ["?sslmode=no-verify", "?sslmode=no-verify"],
  ["?sslmode=prefer", "?sslmode=verify-full"],
  ["?sslmode=require&a=b", "?sslmode=verify-full&a=b"],
  ["?sslmode=require&sslrootcert=/ca.pem", "?sslmode=verify-full&sslrootcert=%2Fca.pem"],
  ["?sslmode=verify-ca", "?sslmode=verify-full"],
  ["?sslmode=verify-ca&sslrootcert=/ca.pem", "?sslmode=verify-ca&sslrootcert=%2Fca.pem&uselibpqcompat=true"],
  ["?sslrootcert=system", "?sslmode=verify-full"],
  ["?sslmode=require&uselibpqcompat=true", "?sslmode=require&uselibpqcompat=true"],
])("the parameters %s are given to pg as %s", (query, given) => {
  expect(connectionUrl(`postgresql://me:a%40b@db/x${query}`)).toBe(`postgresql://me:a%40b@db/x${given}`);
});
