ALTER TABLE "rollouts" ADD COLUMN "exclusions" jsonb;
--> statement-breakpoint
ALTER TABLE "rollout_decisions" ADD COLUMN "slice" jsonb;
