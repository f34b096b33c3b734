ALTER TABLE "experiments" DROP COLUMN "history";
