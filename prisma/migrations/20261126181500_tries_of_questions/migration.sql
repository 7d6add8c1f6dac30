-- How often the mail server has put off the mail that asks somebody whether they agree, so that it is given up after a day.
ALTER TABLE "Tester" ADD COLUMN "askTries" INTEGER NOT NULL DEFAULT 0;
