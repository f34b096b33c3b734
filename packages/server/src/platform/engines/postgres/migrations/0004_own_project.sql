ALTER TABLE "installation" ADD COLUMN "own_project_made_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "own" boolean DEFAULT false NOT NULL;