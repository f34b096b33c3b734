ALTER TABLE "environments" ADD COLUMN "console_recorded" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "environments" ADD COLUMN "request_rules" jsonb DEFAULT '[]'::jsonb NOT NULL;
