ALTER TABLE "rollouts" ADD COLUMN "approvals" jsonb DEFAULT '[]'::jsonb NOT NULL;
