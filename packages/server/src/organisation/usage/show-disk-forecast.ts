import { statfs } from 'node:fs/promises'
import type { ReplyOf } from '@telltale/core/contract/call'
import type { getDiskForecast } from '@telltale/core/contract/usage'
import { limits } from '@telltale/core/limits'
import { type DiskSample, forecastDisk } from '@telltale/core/usage/forecast-disk'
import { desc, gte } from 'drizzle-orm'
import { diskSamples } from '../../platform/engines/postgres/usage-schema.ts'
import type { Services } from '../../platform/services.ts'
import { readSizes } from './measure-disk.ts'
import { dayNumber, dayText } from './usage-days.ts'

type Reply = ReplyOf<typeof getDiskForecast>
type Engine = Reply['volumes'][number]['holds'][number]
type Sample = typeof diskSamples.$inferSelect
type Space = Pick<Reply['volumes'][number], 'freeBytes' | 'totalBytes'>

const msPerDay = 86_400_000

export async function showDiskForecast({
  db,
  telemetry,
  config,
  clock,
}: Pick<Services, 'db' | 'telemetry' | 'config' | 'clock'>): Promise<Reply> {
  const now = clock()
  const sizes = await readSizes({ db, telemetry })
  const since = dayText(new Date(now.getTime() - limits.diskSamplesUsed * msPerDay))
  const stored = await db
    .select()
    .from(diskSamples)
    .where(gte(diskSamples.day, since))
    .orderBy(desc(diskSamples.day))
    .limit(limits.diskSamplesUsed)
  const samples = stored.reverse()
  const own: Engine[] = [
    ...(config.clickhouseUrl === undefined ? (['telemetry'] as const) : []),
    ...(config.databaseUrl === undefined ? (['postgres'] as const) : []),
  ]
  const volumes: Reply['volumes'] = []
  if (own.length > 0) volumes.push(describeVolume(own, await readSpace(config.dataFolder), samples))
  if (!own.includes('telemetry')) {
    // A store of the team may not allow this query.
    const disk = fullestOf(await telemetry.disks().catch(() => []))
    if (disk !== undefined) volumes.push(describeVolume(['telemetry'], disk, samples))
  }
  return { ...sizes, volumes, samples, measuredAt: now.toISOString() }
}

function describeVolume(holds: Engine[], space: Space, samples: readonly Sample[]): Reply['volumes'][number] {
  const sums = samples.flatMap((sample) => sumOf(holds, sample))
  return {
    holds,
    ...space,
    nearlyFull: space.freeBytes * limits.diskNearlyFull < space.totalBytes,
    days: sums.length,
    forecast: forecastDisk(sums, space.freeBytes) ?? null,
  }
}

/** Nothing for a day on which one of them was not measured. */
function sumOf(holds: readonly Engine[], { day, telemetryBytes, postgresBytes }: Sample): DiskSample[] {
  const sizes = holds.map((engine) => (engine === 'telemetry' ? telemetryBytes : postgresBytes))
  const known = sizes.flatMap((size) => size ?? [])
  if (known.length < sizes.length) return []
  return [{ day: dayNumber(day), bytes: known.reduce((sum, size) => sum + size, 0) }]
}

async function readSpace(folder: string): Promise<Space> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}

function fullestOf(disks: readonly Space[]): Space | undefined {
  return [...disks].sort(
    (one, other) => one.freeBytes / one.totalBytes - other.freeBytes / other.totalBytes,
  )[0]
}
