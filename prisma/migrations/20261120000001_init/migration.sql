-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "Status" AS ENUM ('active', 'inactive');

-- CreateEnum
CREATE TYPE "Provider" AS ENUM ('email', 'apple', 'azure', 'github', 'gitlab', 'google');

-- CreateEnum
CREATE TYPE "PlatformKind" AS ENUM ('ios', 'android', 'other');

-- CreateEnum
CREATE TYPE "FileState" AS ENUM ('pending', 'ready', 'deleting');

-- CreateEnum
CREATE TYPE "FilePurpose" AS ENUM ('image', 'installer');

-- CreateEnum
CREATE TYPE "SessionMethod" AS ENUM ('password', 'setup');

-- CreateEnum
CREATE TYPE "DownloadKind" AS ENUM ('install', 'download');

-- CreateTable
CREATE TABLE "User" (
    "id" UUID NOT NULL,
    "firstNames" VARCHAR(100) NOT NULL,
    "lastNames" VARCHAR(100) NOT NULL,
    "email" VARCHAR(254) NOT NULL,
    "team" VARCHAR(100),
    "roleId" UUID NOT NULL,
    "provider" "Provider" NOT NULL,
    "status" "Status" NOT NULL DEFAULT 'active',
    "avatarFileId" UUID,
    "passwordHash" VARCHAR(255),
    "locale" VARCHAR(5),
    "lastSignInAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "User_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TwoFactor" (
    "userId" UUID NOT NULL,
    "secret" BYTEA NOT NULL,
    "enabledAt" TIMESTAMPTZ(3),
    "lastUsedStep" BIGINT,

    CONSTRAINT "TwoFactor_pkey" PRIMARY KEY ("userId")
);

-- CreateTable
CREATE TABLE "Session" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "tokenHash" BYTEA NOT NULL,
    "method" "SessionMethod" NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "absoluteExpiresAt" TIMESTAMPTZ(3) NOT NULL,
    "secondFactorAt" TIMESTAMPTZ(3),
    "ip" VARCHAR(45),
    "userAgent" VARCHAR(400),

    CONSTRAINT "Session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "OneTimeToken" (
    "id" UUID NOT NULL,
    "purpose" VARCHAR(30) NOT NULL,
    "subject" VARCHAR(100) NOT NULL,
    "hash" BYTEA NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "usedAt" TIMESTAMPTZ(3),

    CONSTRAINT "OneTimeToken_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ServerKey" (
    "kid" VARCHAR(64) NOT NULL,
    "use" VARCHAR(10) NOT NULL,
    "publicJwk" JSONB NOT NULL,
    "privateJwk" BYTEA NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ServerKey_pkey" PRIMARY KEY ("kid")
);

-- CreateTable
CREATE TABLE "Role" (
    "id" UUID NOT NULL,
    "name" VARCHAR(100) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Role_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RolePermission" (
    "id" UUID NOT NULL,
    "roleId" UUID NOT NULL,
    "scopes" TEXT[],
    "allApps" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "RolePermission_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RolePermissionTarget" (
    "id" UUID NOT NULL,
    "permissionId" UUID NOT NULL,
    "appId" UUID NOT NULL,
    "environmentId" UUID,

    CONSTRAINT "RolePermissionTarget_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Platform" (
    "id" UUID NOT NULL,
    "name" VARCHAR(100) NOT NULL,
    "kind" "PlatformKind" NOT NULL,
    "logoFileId" UUID,
    "status" "Status" NOT NULL DEFAULT 'active',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Platform_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "App" (
    "id" UUID NOT NULL,
    "name" VARCHAR(100) NOT NULL,
    "identifier" VARCHAR(255) NOT NULL,
    "description" VARCHAR(2000),
    "logoFileId" UUID,
    "status" "Status" NOT NULL DEFAULT 'active',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "App_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Environment" (
    "id" UUID NOT NULL,
    "appId" UUID NOT NULL,
    "name" VARCHAR(100) NOT NULL,
    "status" "Status" NOT NULL DEFAULT 'active',
    "identifiers" TEXT[],
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Environment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "File" (
    "id" UUID NOT NULL,
    "storageKey" VARCHAR(200) NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "contentType" VARCHAR(127) NOT NULL,
    "size" BIGINT NOT NULL DEFAULT 0,
    "sha256" CHAR(64),
    "purpose" "FilePurpose" NOT NULL,
    "state" "FileState" NOT NULL DEFAULT 'pending',
    "createdBy" UUID,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "File_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Upload" (
    "id" UUID NOT NULL,
    "fileId" UUID NOT NULL,
    "storeUploadId" VARCHAR(1024) NOT NULL,
    "partSize" INTEGER NOT NULL,
    "size" BIGINT NOT NULL,
    "sha256" CHAR(64),
    "createdBy" VARCHAR(50) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Upload_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Release" (
    "id" UUID NOT NULL,
    "environmentId" UUID NOT NULL,
    "platformId" UUID NOT NULL,
    "fileId" UUID NOT NULL,
    "iconFileId" UUID,
    "version" VARCHAR(100) NOT NULL,
    "buildNumber" VARCHAR(100) NOT NULL,
    "identifier" VARCHAR(255) NOT NULL,
    "displayName" VARCHAR(255) NOT NULL,
    "description" VARCHAR(5000) NOT NULL,
    "iosEnabled" BOOLEAN NOT NULL,
    "fileName" VARCHAR(255),
    "minOs" VARCHAR(30),
    "installer" JSONB NOT NULL,
    "metadata" JSONB NOT NULL,
    "downloadCount" INTEGER NOT NULL DEFAULT 0,
    "deployDate" TIMESTAMPTZ(3) NOT NULL,
    "createdByUser" UUID,
    "createdByToken" UUID,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Release_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ReleaseDownload" (
    "id" UUID NOT NULL,
    "releaseId" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "userId" UUID,
    "byLink" BOOLEAN NOT NULL,
    "userAgent" VARCHAR(60),
    "kind" "DownloadKind" NOT NULL,

    CONSTRAINT "ReleaseDownload_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ApiToken" (
    "id" UUID NOT NULL,
    "name" VARCHAR(100) NOT NULL,
    "appId" UUID NOT NULL,
    "environmentId" UUID NOT NULL,
    "identifiers" TEXT[],
    "scopes" TEXT[],
    "prefix" VARCHAR(20) NOT NULL,
    "hash" BYTEA NOT NULL,
    "validUntil" TIMESTAMPTZ(3) NOT NULL,
    "lastUsedAt" TIMESTAMPTZ(3),
    "createdBy" UUID,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revokedAt" TIMESTAMPTZ(3),

    CONSTRAINT "ApiToken_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AppConfig" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "name" VARCHAR(100) NOT NULL,
    "description" VARCHAR(2000) NOT NULL,
    "logoFileId" UUID,

    CONSTRAINT "AppConfig_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuditRecord" (
    "id" BIGINT NOT NULL,
    "userId" UUID,
    "tokenId" UUID,
    "table" VARCHAR(50) NOT NULL,
    "recordId" VARCHAR(100),
    "action" VARCHAR(50) NOT NULL,
    "eventDate" TIMESTAMPTZ(3) NOT NULL,
    "changes" JSONB NOT NULL,
    "ip" VARCHAR(45),
    "requestId" VARCHAR(64) NOT NULL,
    "previousHash" CHAR(64) NOT NULL,
    "hash" CHAR(64) NOT NULL,

    CONSTRAINT "AuditRecord_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "User_roleId_idx" ON "User"("roleId");

-- CreateIndex
CREATE INDEX "User_avatarFileId_idx" ON "User"("avatarFileId");

-- CreateIndex
CREATE UNIQUE INDEX "Session_tokenHash_key" ON "Session"("tokenHash");

-- CreateIndex
CREATE INDEX "Session_userId_idx" ON "Session"("userId");

-- CreateIndex
CREATE INDEX "Session_expiresAt_idx" ON "Session"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "OneTimeToken_hash_key" ON "OneTimeToken"("hash");

-- CreateIndex
CREATE INDEX "OneTimeToken_expiresAt_idx" ON "OneTimeToken"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "ServerKey_use_key" ON "ServerKey"("use");

-- CreateIndex
CREATE INDEX "RolePermission_roleId_idx" ON "RolePermission"("roleId");

-- CreateIndex
CREATE INDEX "RolePermissionTarget_permissionId_idx" ON "RolePermissionTarget"("permissionId");

-- CreateIndex
CREATE INDEX "RolePermissionTarget_appId_idx" ON "RolePermissionTarget"("appId");

-- CreateIndex
CREATE INDEX "RolePermissionTarget_environmentId_idx" ON "RolePermissionTarget"("environmentId");

-- CreateIndex
CREATE INDEX "Environment_appId_idx" ON "Environment"("appId");

-- CreateIndex
CREATE UNIQUE INDEX "File_storageKey_key" ON "File"("storageKey");

-- CreateIndex
CREATE INDEX "File_sha256_idx" ON "File"("sha256");

-- CreateIndex
CREATE INDEX "File_state_createdAt_idx" ON "File"("state", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "Upload_fileId_key" ON "Upload"("fileId");

-- CreateIndex
CREATE INDEX "Upload_expiresAt_idx" ON "Upload"("expiresAt");

-- CreateIndex
CREATE INDEX "Release_environmentId_deployDate_id_idx" ON "Release"("environmentId", "deployDate" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "Release_fileId_idx" ON "Release"("fileId");

-- CreateIndex
CREATE INDEX "Release_iconFileId_idx" ON "Release"("iconFileId");

-- CreateIndex
CREATE INDEX "ReleaseDownload_releaseId_at_idx" ON "ReleaseDownload"("releaseId", "at");

-- CreateIndex
CREATE UNIQUE INDEX "ApiToken_hash_key" ON "ApiToken"("hash");

-- CreateIndex
CREATE INDEX "ApiToken_appId_idx" ON "ApiToken"("appId");

-- CreateIndex
CREATE INDEX "ApiToken_environmentId_idx" ON "ApiToken"("environmentId");

-- CreateIndex
CREATE INDEX "AuditRecord_table_id_idx" ON "AuditRecord"("table", "id" DESC);

-- CreateIndex
CREATE INDEX "AuditRecord_userId_id_idx" ON "AuditRecord"("userId", "id" DESC);

-- CreateIndex
CREATE INDEX "AuditRecord_eventDate_idx" ON "AuditRecord"("eventDate");

-- AddForeignKey
ALTER TABLE "User" ADD CONSTRAINT "User_roleId_fkey" FOREIGN KEY ("roleId") REFERENCES "Role"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "User" ADD CONSTRAINT "User_avatarFileId_fkey" FOREIGN KEY ("avatarFileId") REFERENCES "File"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TwoFactor" ADD CONSTRAINT "TwoFactor_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Session" ADD CONSTRAINT "Session_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RolePermission" ADD CONSTRAINT "RolePermission_roleId_fkey" FOREIGN KEY ("roleId") REFERENCES "Role"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RolePermissionTarget" ADD CONSTRAINT "RolePermissionTarget_permissionId_fkey" FOREIGN KEY ("permissionId") REFERENCES "RolePermission"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RolePermissionTarget" ADD CONSTRAINT "RolePermissionTarget_appId_fkey" FOREIGN KEY ("appId") REFERENCES "App"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RolePermissionTarget" ADD CONSTRAINT "RolePermissionTarget_environmentId_fkey" FOREIGN KEY ("environmentId") REFERENCES "Environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Platform" ADD CONSTRAINT "Platform_logoFileId_fkey" FOREIGN KEY ("logoFileId") REFERENCES "File"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "App" ADD CONSTRAINT "App_logoFileId_fkey" FOREIGN KEY ("logoFileId") REFERENCES "File"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Environment" ADD CONSTRAINT "Environment_appId_fkey" FOREIGN KEY ("appId") REFERENCES "App"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Upload" ADD CONSTRAINT "Upload_fileId_fkey" FOREIGN KEY ("fileId") REFERENCES "File"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Release" ADD CONSTRAINT "Release_environmentId_fkey" FOREIGN KEY ("environmentId") REFERENCES "Environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Release" ADD CONSTRAINT "Release_platformId_fkey" FOREIGN KEY ("platformId") REFERENCES "Platform"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Release" ADD CONSTRAINT "Release_fileId_fkey" FOREIGN KEY ("fileId") REFERENCES "File"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Release" ADD CONSTRAINT "Release_iconFileId_fkey" FOREIGN KEY ("iconFileId") REFERENCES "File"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Release" ADD CONSTRAINT "Release_createdByUser_fkey" FOREIGN KEY ("createdByUser") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Release" ADD CONSTRAINT "Release_createdByToken_fkey" FOREIGN KEY ("createdByToken") REFERENCES "ApiToken"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ReleaseDownload" ADD CONSTRAINT "ReleaseDownload_releaseId_fkey" FOREIGN KEY ("releaseId") REFERENCES "Release"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ApiToken" ADD CONSTRAINT "ApiToken_appId_fkey" FOREIGN KEY ("appId") REFERENCES "App"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ApiToken" ADD CONSTRAINT "ApiToken_environmentId_fkey" FOREIGN KEY ("environmentId") REFERENCES "Environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ApiToken" ADD CONSTRAINT "ApiToken_createdBy_fkey" FOREIGN KEY ("createdBy") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AppConfig" ADD CONSTRAINT "AppConfig_logoFileId_fkey" FOREIGN KEY ("logoFileId") REFERENCES "File"("id") ON DELETE SET NULL ON UPDATE CASCADE;


