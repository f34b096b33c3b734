ALTER TABLE "environments" ADD COLUMN "flagsmith" jsonb;--> statement-breakpoint
ALTER TABLE "flags" ADD COLUMN "flagsmith" jsonb;--> statement-breakpoint
ALTER TABLE "segments" ADD COLUMN "flagsmith" jsonb;