CREATE TABLE "unguarded_budgets" (
	"environment_id" uuid PRIMARY KEY NOT NULL REFERENCES "environments"("id") ON DELETE cascade,
	"judged" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "unguarded_splits" (
	"split_id" bigint PRIMARY KEY NOT NULL REFERENCES "splits"("id") ON DELETE cascade,
	"epoch" integer NOT NULL,
	"ordinal" integer,
	"judged" jsonb NOT NULL,
	"seen" jsonb,
	"measurements" bigint DEFAULT 0 NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL,
	"leased_until" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE INDEX "unguarded_splits_due" ON "unguarded_splits" USING btree ("next_at");
