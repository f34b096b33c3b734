ALTER TABLE "environments" ADD COLUMN "approvals" integer DEFAULT 1 NOT NULL;
--> statement-breakpoint
ALTER TABLE "environments" ADD COLUMN "owner_approval" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "flags" ADD COLUMN "owners" uuid[] DEFAULT '{}' NOT NULL;
--> statement-breakpoint
UPDATE "flags" SET "owners" = ARRAY["owner_id"] WHERE "owner_id" IS NOT NULL;
--> statement-breakpoint
ALTER TABLE "flags" DROP COLUMN "owner_id";
--> statement-breakpoint
ALTER TABLE "change_requests" ADD COLUMN "approvals" jsonb DEFAULT '[]'::jsonb NOT NULL;
--> statement-breakpoint
ALTER TABLE "change_requests" ADD COLUMN "proposal_version" integer DEFAULT 1 NOT NULL;
--> statement-breakpoint
UPDATE "change_requests" SET "approvals" = jsonb_build_array(jsonb_build_object('id', "approved_by_id", 'name', "approved_by_name", 'version', 1, 'at', to_char("updated_at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) WHERE "approved_by_name" IS NOT NULL;
--> statement-breakpoint
ALTER TABLE "change_requests" DROP COLUMN "approved_by_id";
--> statement-breakpoint
ALTER TABLE "change_requests" DROP COLUMN "approved_by_name";
--> statement-breakpoint
ALTER TABLE "change_request_decisions" ADD COLUMN "version" integer;
