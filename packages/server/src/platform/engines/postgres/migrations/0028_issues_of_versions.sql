ALTER TABLE "issues" ADD COLUMN "regressed_in" text;--> statement-breakpoint
CREATE INDEX "issues_first_version" ON "issues" USING btree ("environment_id","first_seen_version");--> statement-breakpoint
CREATE INDEX "issues_regressed" ON "issues" USING btree ("environment_id","regressed_in") WHERE regressed_in IS NOT NULL;
