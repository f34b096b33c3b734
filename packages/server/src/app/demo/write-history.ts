// Writes the demo's history through the intake, as an owner's import of history; its evaluations are counted,
// and customers become identities. Idempotent, so it can be restarted after an interruption.

import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { Problem } from '@telltale/core/errors'
import type { Services } from '../../platform/services.ts'
import { type CountedMinute, writeCounts } from '../../release/evaluations/write-counts.ts'
import { type SeenIdentity, writeIdentities } from '../../release/identities/write-identities.ts'
import type { DemoBatch, GeneratedVisit, ServedRequest } from './demo.ts'

export interface HistoryParts extends Pick<Services, 'db' | 'log'> {
  environmentId: string
  visits: Iterable<GeneratedVisit>
  /** The expected number of visits. */
  expected: number
  handIn(batch: DemoBatch & { id: string }): Promise<unknown>
  attach(kind: 'profile' | 'replay' | 'asset', attached: AttachedToVisit): Promise<unknown>
  /** Traces and logs of the shop's servers. */
  serve(requests: readonly ServedRequest[]): Promise<unknown>
  /** Assets of the recorded visits. */
  assets: readonly { hash: string; type: string; body: string }[]
  signal: AbortSignal
}

/** Attachments of a visit besides its events. */
interface AttachedToVisit {
  userAgent: string
  country: string
  body: Uint8Array
  /** Of an asset. */
  hash?: string
  type?: string
}

const hour = 3_600_000
const pack = promisify(gzip)
const atOnce = 24
const rowsPerStatement = 500
const reported = 5
const attempts = 20
const retryPause = 1_000
/** As a collector that waits for a full batch: fewer and larger requests. */
const servedAtOnce = 500

/** Returns the number of events; undefined if it was stopped early. */
export async function writeHistory(parts: HistoryParts): Promise<number | undefined> {
  const { visits, expected, log, signal } = parts
  const counts = new Map<string, CountedMinute>()
  const [first, last] = [new Map<string, SeenIdentity>(), new Map<string, SeenIdentity>()]
  const underWay = new Set<Promise<unknown>>()
  let [events, done] = [0, 0]
  let served: ServedRequest[] = []
  const start = (work: Promise<unknown>) => {
    const started = work.finally(() => underWay.delete(started))
    underWay.add(started)
  }

  for (const { body, ...asset } of parts.assets) {
    const attached = { userAgent: '', country: '', body: Buffer.from(body, 'base64'), ...asset }
    await patiently(signal, () => parts.attach('asset', attached))
  }
  for (const visit of visits) {
    if (signal.aborted) break
    start(handInVisit(parts, visit))
    served.push(...visit.served)
    if (served.length >= servedAtOnce) {
      const batch = served
      served = []
      start(patiently(signal, () => parts.serve(batch)))
    }
    if (underWay.size >= atOnce) await Promise.race(underWay)
    countEvaluations(counts, parts.environmentId, visit)
    noteCustomer({ first, last }, parts.environmentId, visit)
    events += visit.batch.events
    done += 1
    if (done % Math.ceil(expected / reported) === 0) {
      log.info({ visits: done, of: expected, events }, 'the history of the demo is being written')
    }
  }
  if (served.length > 0) start(patiently(signal, () => parts.serve(served)))
  await Promise.all(underWay)
  if (signal.aborted) return undefined

  const rows = [...counts.values()]
  for (let from = 0; from < rows.length; from += rowsPerStatement) {
    await writeCounts(parts.db, rows.slice(from, from + rowsPerStatement))
  }
  await writeIdentities(parts.db, [...first.values()])
  await writeIdentities(parts.db, [...last.values()])
  return events
}

async function handInVisit(
  parts: HistoryParts,
  { batch, profiles, segments }: GeneratedVisit,
): Promise<void> {
  const { signal, handIn, attach } = parts
  await patiently(signal, () => handIn(batch))
  const { userAgent, country } = batch
  for (const { header, tables } of profiles) {
    const packed = await pack(JSON.stringify(tables))
    const body = Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), packed])
    await patiently(signal, () => attach('profile', { userAgent, country, body }))
  }
  for (const { header, body: recorded } of segments) {
    const body = Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), Buffer.from(recorded, 'base64')])
    await patiently(signal, () => attach('replay', { userAgent, country, body }))
  }
}

/** Retries while the spool is full, until the engine has caught up. */
async function patiently(signal: AbortSignal, handIn: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; !signal.aborted; attempt++) {
    try {
      await handIn()
      return
    } catch (error) {
      const isTemporary = error instanceof Problem && error.status === 503
      if (!isTemporary || attempt === attempts) throw error
      await pause(retryPause * (1 + Math.random()), undefined, { signal }).catch(() => undefined)
    }
  }
}

function countEvaluations(
  counts: Map<string, CountedMinute>,
  environment: string,
  { startedAt, evaluations }: GeneratedVisit,
): void {
  const at = startedAt - (startedAt % hour)
  for (const [flag, { variation = null, reason, split }] of evaluations) {
    const [id, epoch] = split === undefined ? [null, null] : [split.id, split.epoch]
    const key = [flag, variation, reason, id, epoch, at].join(' ')
    const known = counts.get(key)
    if (known === undefined) {
      const outcome = { environment, flag, variation, reason, split: id, epoch }
      counts.set(key, { ...outcome, at, firstAt: startedAt, lastAt: startedAt, count: 1 })
    } else {
      known.count += 1
      known.lastAt = startedAt
    }
  }
}

function noteCustomer(
  { first, last }: Record<'first' | 'last', Map<string, SeenIdentity>>,
  environmentId: string,
  { context, isCustomer, startedAt }: GeneratedVisit,
): void {
  if (!isCustomer) return
  const { targetingKey, ...traits } = context
  const seen = { environmentId, targetingKey, traits: JSON.stringify(traits), at: startedAt }
  if (!first.has(targetingKey)) first.set(targetingKey, seen)
  last.set(targetingKey, seen)
}
