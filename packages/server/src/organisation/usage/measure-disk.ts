// The sizes of the engines, measured every few minutes: the last ones of a day are its sample.

import { sql } from 'drizzle-orm'
import { diskSamples } from '../../platform/engines/postgres/usage-schema.ts'
import type { Services } from '../../platform/services.ts'
import { databaseFacts } from '../installation/queries.ts'
import { telemetryFacts } from '../installation/telemetry-facts.ts'
import { dayText } from './usage-days.ts'

interface EngineSizes {
  telemetryBytes: number | null
  postgresBytes: number
}

export async function readSizes({ db, telemetry }: Pick<Services, 'db' | 'telemetry'>): Promise<EngineSizes> {
  const { sizeBytes: postgresBytes } = await databaseFacts(db)
  const { stored } = await telemetryFacts(telemetry)
  return { telemetryBytes: stored?.sizeBytes ?? null, postgresBytes }
}

export async function measureDisk(services: Pick<Services, 'db' | 'telemetry'>, now: Date): Promise<void> {
  const { telemetryBytes, postgresBytes } = await readSizes(services)
  await services.db
    .insert(diskSamples)
    .values({ day: dayText(now), telemetryBytes, postgresBytes })
    .onConflictDoUpdate({
      target: diskSamples.day,
      set: {
        telemetryBytes: sql`coalesce(excluded.telemetry_bytes, ${diskSamples.telemetryBytes})`,
        postgresBytes: sql`excluded.postgres_bytes`,
      },
    })
}
