ALTER TABLE "rollouts" ADD COLUMN "proof" jsonb;
