ALTER TABLE "experiments" ADD COLUMN "interrupted_at" timestamp with time zone;
