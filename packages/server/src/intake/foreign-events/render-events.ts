// Converts events of foreign clients to rows, through the same steps as our own events.

import type { EventKind } from '@telltale/core/contract/events'
import { limits } from '@telltale/core/limits'
import type { Origin } from '@telltale/core/telemetry/context-row'
import type { RumContext, RumEvent } from '@telltale/core/telemetry/rum-event'
import type { KnownEnvironment } from '../../organisation/keys/known-keys.ts'
import { createPipeline, type Pipeline, type PipelineOutcome } from '../events/pipeline.ts'
import { sessionShareOf } from '../events/session-share.ts'
import { userCheckOf } from '../events/steps/check-users.ts'
import { openContext } from '../events/steps/open-context.ts'
import { scrubOf } from '../events/steps/scrub-rules.ts'
import type { Batch, BatchContext } from '../events/steps/step.ts'
import type { ForeignParts } from './store-events.ts'

interface Rendering {
  origin: Origin
  environment: Pick<
    KnownEnvironment,
    'id' | 'projectId' | 'keyId' | 'sampling' | 'scrub' | 'routes' | 'holdouts' | 'signedUsers'
  >
  offsetOf(session: string): number
  /** The round of the A/A test; undefined while it is off. */
  aaTestEpoch: number | undefined
}

/** Stored once, by its ID. */
export interface RenderedFact {
  id: string
  kind: EventKind
  row: string
  at: number
  context: BatchContext
}

export interface Rendered {
  pipeline: Pipeline
  facts: RenderedFact[]
  /** The halves of the A/A test in which users were seen. */
  hidden: PipelineOutcome['hidden']
}

const isFact = ({ event }: RumEvent) =>
  event.kind === 'view' || event.kind === 'vital' || event.kind === 'exposure'

export function renderEvents(
  { intake, erasedPeople }: Pick<ForeignParts, 'intake' | 'erasedPeople'>,
  events: readonly RumEvent[],
  { origin, environment, offsetOf, aaTestEpoch }: Rendering,
): Rendered {
  const { receivedAt, waited = 0, isServer } = origin
  const counts = intake.signedUserCounts
  const userCheck = userCheckOf({ environment, receivedAt, waited, isServer, counts })
  const batchOf = (clockOffset: number): Batch => ({
    origin,
    clockOffset,
    ageMaximum: limits.eventAgeMaximum + waited,
    ...sessionShareOf(intake.reductions, environment),
    isSampledApart: true,
    aaTestEpoch,
    holdouts: environment.holdouts,
    contexts: new Map(),
    boundName: intake.boundName,
    scrub: scrubOf(environment.scrub),
    routeOf: (path) => intake.routeOf(environment, path),
    userCheck,
    isErased: (context) => erasedPeople.has(origin.environmentId, context, waited),
  })
  const batch = batchOf(0)
  const pipeline = createPipeline(batch)
  const factPipeline = createPipeline(batch)
  const hidden = pipeline.outcome().hidden
  const contexts = createContexts(batch)
  const facts: RenderedFact[] = []
  for (const reported of events) {
    const { event, about } = reported
    const { id, kind, at } = event
    batch.clockOffset = offsetOf(about.session)
    const context = contexts(about)
    if (!isFact(reported)) pipeline.carry(event, context)
    else if (factPipeline.carry(event, context)) {
      const row = factPipeline.outcome().events.at(-1)
      if (row !== undefined) facts.push({ id, kind, row, at: at + batch.clockOffset, context })
    }
  }
  for (const [reason, kinds] of factPipeline.outcome().dropped) {
    for (const [kind, count] of kinds) for (let left = count; left > 0; left--) pipeline.drop(reason, kind)
  }
  for (const [key, seen] of factPipeline.outcome().hidden) {
    hidden.set(key, { ...seen, at: Math.min(seen.at, hidden.get(key)?.at ?? seen.at) })
  }
  return { pipeline, facts, hidden }
}

/** What many events of a batch share is prepared once. */
function createContexts(batch: Batch): (about: RumContext) => BatchContext {
  const known = new Map<string, BatchContext>()
  let last: { about: RumContext; context: BatchContext } | undefined
  const shared = new Map<object | undefined, number>()
  const numberOf = (object: object | undefined) => {
    const place = shared.get(object) ?? shared.size
    shared.set(object, place)
    return place
  }

  const find = (about: RumContext) => {
    const { session, tab, view, anonymousId, userKey, sessionUserKey, page, url, referrer } = about
    const { service, version, connection, weight, hasReplay } = about
    const key = [
      ...[session, tab, view, anonymousId, userKey, sessionUserKey, page, url, referrer],
      ...[service, version, connection, weight, hasReplay, numberOf(about.reads), numberOf(about.attributes)],
    ].join('\0')
    const found = known.get(key) ?? openContext({ kind: 'context', index: 0, ...about }, batch)
    known.set(key, found)
    return found
  }

  return (about) => {
    if (last === undefined || !isSameText(last.about, about)) last = { about, context: find(about) }
    return last.context
  }
}

/** A comparison is cheaper than building a key. */
function isSameText(one: RumContext, other: RumContext): boolean {
  return (
    one.view === other.view &&
    one.reads === other.reads &&
    one.attributes === other.attributes &&
    one.session === other.session &&
    one.tab === other.tab &&
    one.userKey === other.userKey &&
    one.anonymousId === other.anonymousId &&
    one.sessionUserKey === other.sessionUserKey &&
    one.page === other.page &&
    one.url === other.url &&
    one.referrer === other.referrer &&
    one.service === other.service &&
    one.version === other.version &&
    one.connection === other.connection &&
    one.weight === other.weight &&
    one.hasReplay === other.hasReplay
  )
}
