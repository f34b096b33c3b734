ALTER TABLE "issue_groups" ADD COLUMN "merged_from" uuid;--> statement-breakpoint
ALTER TABLE "issue_groups" ADD CONSTRAINT "issue_groups_merged_from_issues_id_fk" FOREIGN KEY ("merged_from") REFERENCES "public"."issues"("id") ON DELETE set null ON UPDATE no action;
