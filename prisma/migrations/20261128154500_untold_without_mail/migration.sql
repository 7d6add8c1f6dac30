-- AlterEnum
ALTER TYPE "UntoldReason" ADD VALUE 'no-mail';
