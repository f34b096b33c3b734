ALTER TABLE "projects" ADD COLUMN "trace_link" text;
