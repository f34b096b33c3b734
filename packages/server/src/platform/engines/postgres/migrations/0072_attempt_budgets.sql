CREATE TABLE "attempt_budgets" (
	"key" text PRIMARY KEY NOT NULL,
	"restored_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "attempt_budgets_restored" ON "attempt_budgets" USING btree ("restored_at");
