import { Problem } from '@telltale/core/errors'
import { and, eq } from 'drizzle-orm'
import type { StackMapper } from '../../intake/source-maps/map-frames.ts'
import { checkSourceMap, uploadSourceMap } from '../../intake/source-maps/upload-source-map.ts'
import type { EnvironmentRow } from '../../organisation/environments/queries.ts'
import type { ChangeOrigin } from '../../platform/engines/postgres/change.ts'
import type { Db } from '../../platform/engines/postgres/open.ts'
import { sourceMaps } from '../../platform/engines/postgres/source-map-schema.ts'
import type { MemoryBudget } from '../../platform/memory/memory-budget.ts'
import type { Services } from '../../platform/services.ts'
import { addFindings } from './add-findings.ts'
import { addIncidents } from './add-incidents.ts'
import { addPeople } from './add-people.ts'
import { decideIssues } from './decide-issues.ts'
import type { DemoProject } from './demo.ts'
import { type FoundDemo, marks, setMark } from './find-demo.ts'
import { keepResults } from './make-experiments.ts'
import type { BuiltMap, BuiltShop } from './shop-scripts.ts'

interface Errors {
  found: FoundDemo
  environment: EnvironmentRow
  demo: DemoProject
  built: BuiltShop | undefined
  signal: AbortSignal
}

/**
 * Adds the members who handle errors, and the source maps. Returns a function that makes the decisions about the
 * issues.
 */
export async function prepareErrors(
  services: Pick<Services, 'db' | 'memory' | 'telemetry' | 'clock' | 'log'> & { stackMapper: StackMapper },
  { found, environment, demo, built, signal }: Errors,
): Promise<() => Promise<void>> {
  const { db, clock, memory, telemetry, log } = services
  const { project, begunAt, isDecided } = found
  const actor = { kind: 'user', id: null, name: demo.by } as const
  const origin = { actor, requestId: null, now: new Date(begunAt.getTime() - demo.begunAgo) }
  const people = await addPeople(db, origin, { project, people: demo.people })
  const { version } = demo
  const maps = { project, version, path: '/demo', maps: built?.maps ?? [] }
  await uploadShopMaps(db, { ...origin, now: begunAt }, { ...maps, memory })

  return async () => {
    if (isDecided) return
    // The store may never become available: then a later start makes the decisions.
    await telemetry.untilUsable(signal).catch(() => undefined)
    if (signal.aborted) return
    try {
      await decideIssues(services, { project, environment, demo, begunAt, people, signal })
      await addFindings(services, { projectId: project.id, environmentId: environment.id, begunAt, signal })
      await keepResults(services, { projectId: project.id, timeZone: environment.timeZone })
      await addIncidents(services, project.id)
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'engine-unavailable')) throw error
      if (!signal.aborted)
        log.warn(
          { reason: error.message },
          'the store became unavailable: the demo history continues at the next start',
        )
      return
    }
    if (!signal.aborted) await setMark(db, marks.decided(project.id), clock())
  }
}

interface ShopMaps {
  project: { id: string; key: string }
  version: string
  /** The path of the shop. */
  path: string
  maps: readonly BuiltMap[]
  memory: MemoryBudget
}

/** As a pipeline does after each build of the shop. */
async function uploadShopMaps(
  db: Db,
  origin: ChangeOrigin,
  { project, version, path, maps, memory }: ShopMaps,
): Promise<void> {
  for (const { file: name, content } of maps) {
    const file = `${path}/${name}`
    const map = await memory.during('management', (claim) => checkSourceMap(content, claim))
    const isSame = and(
      eq(sourceMaps.projectId, project.id),
      eq(sourceMaps.file, file),
      eq(sourceMaps.hash, map.hash),
    )
    if ((await db.$count(sourceMaps, isSame)) > 0) continue
    await uploadSourceMap(db, origin, { project, query: { file, version }, map })
  }
}
