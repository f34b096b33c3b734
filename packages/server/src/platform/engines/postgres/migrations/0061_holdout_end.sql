ALTER TABLE "holdouts" ADD COLUMN "when_over" text DEFAULT 'continue' NOT NULL;
--> statement-breakpoint
ALTER TABLE "holdouts" ADD COLUMN "follows" text;
