CREATE TABLE "guard_servers" (
	"server" uuid PRIMARY KEY NOT NULL,
	"spool_lag" bigint NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "guard_servers_age" ON "guard_servers" USING btree ("at");