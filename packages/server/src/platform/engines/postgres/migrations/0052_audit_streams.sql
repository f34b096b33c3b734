CREATE TABLE "audit_streams" (
	"channel_id" uuid PRIMARY KEY NOT NULL,
	"position" bigint NOT NULL,
	"until" bigint NOT NULL,
	"delivery_id" uuid
);
--> statement-breakpoint
ALTER TABLE "audit_streams" ADD CONSTRAINT "audit_streams_channel_id_channels_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "channels"("id") ON DELETE CASCADE;
