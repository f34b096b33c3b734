ALTER TABLE "environments" ADD COLUMN "unmask_allowed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "environments" ADD COLUMN "privacy_rules" jsonb DEFAULT '[]'::jsonb NOT NULL;
