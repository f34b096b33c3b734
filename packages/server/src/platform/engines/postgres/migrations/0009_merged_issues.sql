ALTER TABLE "issues" ADD COLUMN "merged_into" uuid;--> statement-breakpoint
ALTER TABLE "source_maps" ADD COLUMN "regrouped" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "issues" ADD CONSTRAINT "issues_merged_into_issues_id_fk" FOREIGN KEY ("merged_into") REFERENCES "public"."issues"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "issues_merged" ON "issues" USING btree ("merged_into");--> statement-breakpoint
CREATE INDEX "source_maps_new" ON "source_maps" USING btree ("project_id") WHERE NOT regrouped;