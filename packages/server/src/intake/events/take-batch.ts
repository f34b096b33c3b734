// One batch, from the first byte to the receipt. Nothing of it is kept when anything throws.

import type { Readable } from 'node:stream'
import type { DropReason, EventKind, IntakeReceipt } from '@telltale/core/contract/events'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { clockOffset } from '@telltale/core/telemetry/likely-time'
import type { KnownEnvironment } from '../../organisation/keys/known-keys.ts'
import { inclusionsIn } from '../../organisation/recording-plans/inclusion-of.ts'
import type { MemoryClaim } from '../../platform/memory/memory-budget.ts'
import { hashOfBatch, idFromBytes } from '../spool/id-bytes.ts'
import type { SpoolDraft } from '../spool/record.ts'
import type { Lane } from '../spool/spool.ts'
import { type GivenBrowser, readBrowser } from './browsers.ts'
import { aaTestEpochOf } from './hidden-exposures.ts'
import type { IntakeServices } from './intake-services.ts'
import { meterEvents } from './meter-events.ts'
import { createPipeline, type PipelineOutcome } from './pipeline.ts'
import { readBody, readDigestedBody } from './read-body.ts'
import { sessionShareOf } from './session-share.ts'
import { userCheckOf } from './steps/check-users.ts'
import { scrubOf } from './steps/scrub-rules.ts'
import { createSplitter } from './steps/split-body.ts'
import { requireQuota } from './within-limits.ts'

export interface GivenBatch {
  environment: KnownEnvironment
  /** A UUID that the client keeps across retries. */
  batchId: string | undefined
  /** The client's clock at the time of sending. */
  sentAt: number | undefined
  /** Milliseconds for which an edge kept it; its clock includes them. */
  waited?: number
  browser: GivenBrowser
  address: string
  source: string
  /** History: its events may be old, and the sender provides their country. */
  backfill?: { country: string } | undefined
  body: { stream: Readable; encoding: string | undefined }
  /** The memory it takes while it is processed. */
  claim: MemoryClaim
}

export type TakeBatch = (given: GivenBatch) => Promise<IntakeReceipt>

const repeated: IntakeReceipt = { accepted: 0, repeated: true, dropped: [] }
const batchIdBytes = 16
/** Our own clients send these separately when the spool is nearly full. */
const essential = new Set<EventKind>(['error', 'exposure', 'view', 'view_state', 'vital'])

export function createTakeBatch({
  intake,
  live,
  erasedPeople,
}: Pick<IntakeServices, 'intake' | 'live' | 'erasedPeople'>): TakeBatch {
  const { spool, batchIds, once, outcomes, quotas, hiddenExposures, boundName, routeOf, countryOf, now } =
    intake

  const madeAtOf = ({ batchId, sentAt }: GivenBatch) => {
    const madeAt = batchId === undefined ? undefined : timeOfId(batchId)
    return madeAt === undefined ? undefined : madeAt + clockOffset({ arrivedAt: now(), sentAt })
  }
  /** Before the body is read. */
  const isRepeated = async (given: GivenBatch) => {
    const { environment, batchId } = given
    if (batchId === undefined) return false
    const id = hashOfBatch(environment.id, batchId)
    return batchIds.isKnown(id) || batchIds.isKnownOfOld(id, madeAtOf(given))
  }

  const readEvents = async (given: GivenBatch, receivedAt: number) => {
    const { environment, browser, address, source, sentAt, backfill, waited = 0 } = given
    const { isServer = false } = browser
    const pipeline = createPipeline({
      origin: {
        environmentId: environment.id,
        projectId: environment.projectId,
        receivedAt,
        source,
        // The address of a server says nothing about its users.
        country: backfill?.country ?? (isServer ? '' : countryOf(address)),
        ...readBrowser(browser),
      },
      clockOffset: clockOffset({ arrivedAt: receivedAt, sentAt }),
      ageMaximum: backfill ? limits.backfillAgeMaximum : limits.eventAgeMaximum + waited,
      // Imported history is stored in full.
      ...(backfill
        ? { share: environment.sampling.session / 100 }
        : sessionShareOf(intake.reductions, environment)),
      inclusionOf: inclusionsIn(environment, intake.recordingPlans),
      contexts: new Map(),
      aaTestEpoch: backfill ? undefined : aaTestEpochOf(environment, receivedAt - waited),
      holdouts: backfill ? undefined : environment.holdouts,
      boundName,
      routeOf: (path) => routeOf(environment, path),
      scrub: scrubOf(environment.scrub),
      userCheck: userCheckOf({ environment, receivedAt, waited, isServer, counts: intake.signedUserCounts }),
      isErased: (context) => erasedPeople.has(environment.id, context, waited),
    })
    const splitter = createSplitter(pipeline.take, { mostBytes: limits.eventSize, claim: given.claim })
    const outcome = pipeline.outcome()
    let counted = 0
    const take = (chunk: Buffer) => {
      splitter.push(chunk)
      const more = memoryOf(outcome) - counted
      given.claim.grow(more)
      counted += more
    }
    const read = await readNamed(given, take)
    splitter.end()
    refuseNonsense(outcome)
    return { outcome, ...read }
  }

  const store = async (given: GivenBatch, batchId: string, outcome: PipelineOutcome) => {
    const { id: environmentId } = given.environment
    const receivedAt = now()
    const { events: rows, views: viewRows } = outcome
    const batch: SpoolDraft = { kind: 'batch', environmentId, batchId, receivedAt, rows, viewRows }
    await hiddenExposures.store({ environmentId, receivedAt, seen: outcome.hidden }, (drafts) =>
      spool.append([batch, ...drafts], laneOf(outcome)),
    )
    live.take(environmentId, outcome.events)
  }

  return async (given) => {
    const { environment, source } = given
    requireQuota(intake, environment.id, source)
    spool.requireRoom('essential', 0)
    const of = (kind: string, reason: string) => ({ environmentId: environment.id, kind, source, reason })
    if (await isRepeated(given)) {
      outcomes.count(of('batch', 'repeated'), 1)
      return repeated
    }
    const { outcome, sizeBytes, batchId } = await readEvents(given, now())

    if (outcome.events.length + outcome.views.length > 0) {
      const batch = { environmentId: environment.id, id: batchId, madeAt: madeAtOf(given) }
      const fresh = await once([batch], () => store(given, batchId, outcome))
      if (fresh.length === 0) {
        outcomes.count(of('batch', 'repeated'), 1)
        return repeated
      }
    }

    quotas.add(environment.id, sizeBytes)
    // Imported history was not used today.
    if (given.backfill === undefined) {
      const { kept, dropped } = outcome
      meterEvents(intake.usage, environment, { kept, dropped, bytes: sizeBytes })
    }
    for (const [kind, count] of outcome.accepted) outcomes.count(of(kind, 'accepted'), count)
    for (const [reason, kinds] of outcome.dropped) {
      for (const [kind, count] of kinds) outcomes.count(of(kind, reason), count)
    }
    return receiptOf(outcome)
  }
}

/** Returns the id of the client too, or else one of the unpacked bytes. */
async function readNamed({ body, batchId }: GivenBatch, take: (chunk: Buffer) => void) {
  if (batchId !== undefined) return { ...(await readBody(body, take)), batchId }
  const { sizeBytes, digest } = await readDigestedBody(body, take)
  return { sizeBytes, batchId: idFromBytes(digest.subarray(0, batchIdBytes)) }
}

function receiptOf({ events, views, dropped }: PipelineOutcome): IntakeReceipt {
  const reasons = [...dropped].map(([reason, kinds]) => ({ reason, count: sumOf(kinds) }))
  return { accepted: events.length + views.length, dropped: reasons }
}

const sumOf = (counts: ReadonlyMap<unknown, number>) =>
  [...counts.values()].reduce((sum, count) => sum + count, 0)

/** A body without a single event is not a faulty batch but something else. */
function refuseNonsense({ pieces, dropped }: PipelineOutcome): void {
  const broken: DropReason = 'malformed'
  if (pieces > sumOf(dropped.get(broken) ?? new Map())) return
  throw problem('malformed-body', 'It contains no events: send JSON lines or one JSON array.')
}

function laneOf({ accepted }: PipelineOutcome): Lane {
  return [...accepted.keys()].every((kind) => essential.has(kind)) ? 'essential' : 'detail'
}

/** Rows exist twice, as lines and as the bytes written to the disk; contexts once, as parsed. */
const memoryOf = ({ sizeBytes, contextBytes }: PipelineOutcome) => 2 * sizeBytes + contextBytes

/** A UUIDv7 contains its creation time. */
function timeOfId(id: string): number | undefined {
  return id[14] === '7' ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : undefined
}
