// The demo of a running server: its shop is open from the start, its project and a week of history are created
// in the background, then visitors arrive until the server stops.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { problem } from '@telltale/core/errors'
import { and, asc, eq, isNull } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { TakeHistory } from '../../intake/bind-intake.ts'
import type { OtlpTakes } from '../../intake/otlp/open-otlp.ts'
import type { StackMapper } from '../../intake/source-maps/map-frames.ts'
import { type EnvironmentRow, findEnvironment } from '../../organisation/environments/queries.ts'
import type { KnownEnvironment } from '../../organisation/keys/known-keys.ts'
import { sdkKeys } from '../../platform/engines/postgres/schema.ts'
import { finish, startRepeating } from '../../platform/process/repeat.ts'
import type { Services } from '../../platform/services.ts'
import { askForFlags } from './ask-for-flags.ts'
import { bindShop } from './bind-shop.ts'
import { createServe } from './create-serve.ts'
import type { Demo, DemoBatch, DemoRecording, HistoryOptions, ServedRequest } from './demo.ts'
import { type FoundDemo, findDemo, marks, setMark } from './find-demo.ts'
import { makeDemoProject } from './make-demo-project.ts'
import { prepareErrors } from './prepare-errors.ts'
import { readRecordings } from './read-recordings.ts'
import { readRuleSets } from './read-rule-sets.ts'
import { readBuiltShop } from './shop-scripts.ts'
import { type HistoryParts, writeHistory } from './write-history.ts'

interface DemoOptions {
  services: Services & { stackMapper: StackMapper }
  /** The folder of the built demo. */
  folder: string
  /** Replaces the built demo. */
  demo?: Demo | undefined
}

export interface OpenDemo {
  bind(server: FastifyInstance, takes: DemoTakes): Promise<void>
  /** `url`: the address of the server. */
  start(url: string): void
  /** Resolves when the project exists and its history was handed in. */
  ready(): Promise<void>
  stop(): Promise<void>
}

/** The functions of the intake that take what the demo invents. */
export interface DemoTakes {
  history: TakeHistory
  otlp: OtlpTakes
}

/** The URL of the shop and its built files. */
type ShopAt = Pick<HistoryOptions, 'shop' | 'scripts'>

/** Batches of an interrupted history are recognized as duplicates for slightly longer than this. */
const historyMayTake = 47 * 3_600_000
const visitorsEvery = 4_000

export async function openDemo({ services, folder, demo: given }: DemoOptions): Promise<OpenDemo> {
  const demo = given ?? (await loadDemo(folder))
  const { db, log, config, clock } = services
  const stopping = new AbortController()
  let taken: DemoTakes | undefined
  let stopVisitors: (() => Promise<void>) | undefined
  let begun: Promise<void> = Promise.resolve()
  let deciding: Promise<void> = Promise.resolve()
  const findShop = async () => {
    const found = await findDemo(db)
    return found && findEnvironment(db, { projectId: found.project.id, key: demo.project.environment })
  }
  const clientKey = async () => {
    const environment = await findShop()
    return environment && findClientKey(services, environment.id)
  }
  const handing = (environment: EnvironmentRow) => {
    if (taken === undefined) throw problem('internal')
    const place = known(environment)
    return {
      ...handIn(taken.history, place),
      serve: createServe(services, { demo, takes: taken.otlp, place }),
    }
  }

  const report = async (served: ServedRequest) => {
    const environment = await findShop()
    if (environment !== undefined) await handing(environment).serve([served])
  }
  const importHistory = async (found: FoundDemo, environment: EnvironmentRow, shop: ShopAt) => {
    const { project, begunAt, hasHistory } = found
    if (hasHistory || clock().getTime() - begunAt.getTime() > historyMayTake) return
    const recordings = await readRecordings(join(folder, 'recordings'))
    const visits = await generateVisits(services, demo, { found, environment, shop, recordings })
    await noteKeyUse(services, environment.id)
    const began = performance.now()
    const events = await writeHistory({
      db,
      log,
      visits,
      expected: config.demoVisits,
      signal: stopping.signal,
      environmentId: environment.id,
      ...handing(environment),
      assets: distinctAssets(recordings),
    })
    if (events === undefined) return
    await setMark(db, marks.history(project.id), clock())
    const seconds = Math.round((performance.now() - began) / 100) / 10
    log.info({ events, seconds }, 'the demo history is complete')
  }
  const begin = async (url: string) => {
    const found = await makeDemoProject(db, demo.project, clock())
    const environment = await findEnvironment(db, {
      projectId: found.project.id,
      key: demo.project.environment,
    })
    if (environment === undefined) return
    const built = await readBuiltShop(join(folder, 'shop'))
    const at = `${config.publicUrl?.origin ?? url}/demo`
    const shop: ShopAt = built === undefined ? { shop: at } : { shop: at, scripts: built.scripts }
    const errors = { found, environment, demo: demo.project, built, signal: stopping.signal }
    const decide = await prepareErrors(services, errors)
    await importHistory(found, environment, shop)
    if (config.demoVisitors === 'on' && !stopping.signal.aborted) {
      stopVisitors = welcome(services, { demo, environment, url, shop, ...handing(environment) })
    }
    deciding = decide()
    services.background(deciding, 'triaging the errors of the demo')
  }

  return {
    async bind(server, takes) {
      taken = takes
      await bindShop(server, {
        answer: demo.answerShop,
        folder: join(folder, 'shop'),
        clientKey,
        report: (served) => services.background(report(served), 'tracing the API of the shop'),
      })
    },
    start(url) {
      begun = begin(url)
      services.background(begun, 'making the demo')
    },
    ready: () => begun,
    async stop() {
      stopping.abort()
      await finish(
        log,
        'the demo',
        begun.catch(() => undefined),
      )
      await deciding.catch(() => undefined)
      await stopVisitors?.()
    },
  }
}

interface Welcome extends LiveHandIn {
  demo: Demo
  environment: EnvironmentRow
  url: string
  shop: ShopAt
  serve(requests: readonly ServedRequest[]): Promise<void>
}

/** Returns a function that sends the visitors away. */
function welcome(services: Services, { demo, environment, url, shop, handIn, serve }: Welcome) {
  const { db, log, clock } = services
  const visitors = demo.createVisitors({
    seed: `${environment.id} ${clock().getTime()}`,
    ...shop,
    decide: async (requested) => {
      const key = await findClientKey(services, environment.id)
      return key === undefined ? new Map() : askForFlags({ url, key, ...requested })
    },
  })
  return startRepeating(log, { what: 'visitors of the demo', every: visitorsEvery }, async () => {
    if ((await findDemo(db)) === undefined) return
    for (const batch of await visitors.step(clock().getTime())) {
      await handIn(batch)
      await serve(batch.served)
    }
  })
}

interface Visits {
  found: FoundDemo
  environment: EnvironmentRow
  shop: ShopAt
  recordings: readonly DemoRecording[]
}

async function generateVisits(
  { db, config }: Services,
  { project, generateHistory }: Demo,
  { found, environment, shop, recordings }: Visits,
) {
  const until = found.begunAt.getTime()
  return generateHistory({
    seed: found.project.id,
    from: until - project.historyAgo,
    until,
    ...shop,
    visits: config.demoVisits,
    ruleSets: await readRuleSets(db, { environmentId: environment.id, until: found.begunAt }),
    profiled: environment.samplingProfile / 100,
    recordings,
  })
}

/** Each recording lists its assets; most of them are shared. */
function distinctAssets(recordings: readonly DemoRecording[]): DemoRecording['assets'] {
  const all = recordings.flatMap(({ assets }) => assets)
  return [...new Map(all.map((asset) => [asset.hash, asset])).values()]
}

function handIn(take: TakeHistory, place: KnownEnvironment): Pick<HistoryParts, 'attach'> & LiveHandIn {
  // Recordings of the demo are accepted whatever the replay sampling of its environment.
  const recorded = { ...place, sampling: { ...place.sampling, replay: 100 } }
  return {
    handIn: (batch) => take.batch({ environment: place, ...batch }),
    attach: (kind, attached) => take.attachment(kind, { environment: recorded, ...attached }),
  }
}

/** Live batches have no id, because they are never sent twice. */
interface LiveHandIn {
  handIn(batch: DemoBatch & { id?: string }): Promise<unknown>
}

async function loadDemo(folder: string): Promise<Demo> {
  const file = join(folder, 'demo.js')
  if (!existsSync(file)) throw new Error(`There is no demo at ${file}: build it with npm run build.`)
  const { demo }: { demo: Demo } = await import(pathToFileURL(file).href)
  return demo
}

/** The history is handed in without the key, but the console looks for events only after a key was used. */
async function noteKeyUse({ db, clock }: Services, environmentId: string): Promise<void> {
  const id = (await findKeyRow(db, environmentId))?.id
  if (id !== undefined) await db.update(sdkKeys).set({ lastUsedAt: clock() }).where(eq(sdkKeys.id, id))
}

async function findClientKey({ db }: Services, environmentId: string): Promise<string | undefined> {
  return (await findKeyRow(db, environmentId))?.value ?? undefined
}

async function findKeyRow(db: Services['db'], environmentId: string) {
  const isUsable = and(
    eq(sdkKeys.environmentId, environmentId),
    eq(sdkKeys.kind, 'client'),
    isNull(sdkKeys.revokedAt),
  )
  const [row] = await db
    .select()
    .from(sdkKeys)
    .where(isUsable)
    .orderBy(asc(sdkKeys.createdAt), asc(sdkKeys.id))
    .limit(1)
  return row
}

function known({
  id,
  key,
  projectId,
  allowedOrigins,
  privacyLevel,
  unmaskAllowed,
  privacyRules,
  consoleRecorded,
  requestRules,
  ...row
}: EnvironmentRow): KnownEnvironment {
  const sampling = { session: row.samplingSession, replay: row.samplingReplay, profile: row.samplingProfile }
  const replay = { privacyLevel, unmaskAllowed, privacyRules, consoleRecorded, requestRules }
  return { id, key, projectId, allowedOrigins, ...replay, sampling, scrub: row.scrub }
}
