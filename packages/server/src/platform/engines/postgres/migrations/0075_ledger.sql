CREATE TABLE "ledger_months" (
	"environment_id" uuid NOT NULL,
	"month" text NOT NULL,
	"found" jsonb,
	"next_at" timestamp (3) with time zone,
	"leased_until" timestamp (3) with time zone,
	CONSTRAINT "ledger_months_pk" PRIMARY KEY("environment_id","month")
);
--> statement-breakpoint
CREATE TABLE "harm_budgets" (
	"environment_id" uuid PRIMARY KEY NOT NULL,
	"amount" double precision NOT NULL,
	"unit" text NOT NULL,
	"policy" text NOT NULL,
	"updated_by" text NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "ledger_months" ADD CONSTRAINT "ledger_months_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "harm_budgets" ADD CONSTRAINT "harm_budgets_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "ledger_months_due" ON "ledger_months" USING btree ("next_at");
