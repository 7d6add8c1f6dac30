-- Installs of the build that was the latest one of its environment and platform. A transaction of its own: PostgreSQL uses a value of an
-- enum only after it is committed.

-- AlterEnum
ALTER TYPE "ActivityKind" ADD VALUE 'latestInstall';
