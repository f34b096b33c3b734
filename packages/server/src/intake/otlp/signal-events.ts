// Exceptions become errors, and evaluations of flags exposures: they take the same steps as events of our own clients.
// Each has an ID derived from what it says, so that it is stored once: an exception that is recorded by several spans of
// a trace is one error, and a user is exposed to a variation once a day.

import { createHash } from 'node:crypto'
import type { FlagRead, TelemetryEvent } from '@telltale/core/contract/events'
import { limits } from '@telltale/core/limits'
import type { Origin } from '@telltale/core/telemetry/context-row'
import type { KnownEnvironment } from '../../organisation/keys/known-keys.ts'
import { createPipeline, type PipelineOutcome } from '../events/pipeline.ts'
import type { UserCheck } from '../events/steps/check-users.ts'
import { openContext } from '../events/steps/open-context.ts'
import { scrubOf } from '../events/steps/scrub-rules.ts'
import type { Batch } from '../events/steps/step.ts'
import { idFromBytes } from '../spool/id-bytes.ts'
import type { FoundRead } from './find-reads.ts'
import type { FoundException, OtlpParts, SignalOrigin } from './otlp-request.ts'

export interface SignalFact {
  id: string
  at: number
  kind: 'error' | 'exposure'
  row: string
  service: string
}

interface Signals {
  environment: KnownEnvironment
  origin: Origin
  exceptions: readonly FoundException[]
  reads: readonly FoundRead[]
  userCheck: UserCheck | undefined
}

interface RenderedSignals {
  facts: SignalFact[]
  dropped: PipelineOutcome['dropped']
}

const day = 86_400_000

export function renderSignals(
  { intake, erasedPeople }: Pick<OtlpParts, 'intake' | 'erasedPeople'>,
  { environment, origin, exceptions, reads, userCheck }: Signals,
): RenderedSignals {
  const batch: Batch = {
    origin,
    clockOffset: 0,
    ageMaximum: limits.eventAgeMaximum,
    // The exporter has already sampled: sessions of browsers are sampled here, requests of servers are not.
    share: 1,
    contexts: new Map(),
    boundName: intake.boundName,
    scrub: scrubOf(environment.scrub),
    routeOf: (path) => intake.routeOf(environment, path),
    userCheck,
    isErased: (context) => erasedPeople.has(environment.id, context),
  }
  const pipeline = createPipeline(batch)
  const byTrace = readsByTrace(reads)
  const facts: SignalFact[] = []
  const seen = new Set<string>()

  const carry = (event: SignalEvent, about: SignalOrigin, given: { userKey: string; reads: FlagRead[] }) => {
    if (seen.has(event.id)) return
    seen.add(event.id)
    const context = openContext(contextOf(about, given), batch)
    // Browsers that the environment does not sample have sent nothing; servers have no sessions.
    if (!pipeline.carry(event, { ...context, isSampledOut: false })) return
    const row = pipeline.outcome().events.at(-1)
    if (row !== undefined)
      facts.push({ id: event.id, at: event.at, kind: event.kind, row, service: about.service })
  }

  for (const { found, read, subject } of reads) {
    const others = (byTrace.get(found.traceId) ?? []).filter((one) => one.found.at <= found.at)
    const all = [...uniqueReads(others).filter(({ flag }) => flag !== read.flag), read]
    carry(exposureOf(environment.id, { found, read, subject }), found, { userKey: subject, reads: all })
  }
  for (const found of exceptions) {
    const before = (byTrace.get(found.traceId) ?? []).filter((one) => one.found.at <= found.at)
    const [subject = ''] = new Set(before.map((one) => one.subject))
    const userKey = found.userKey === '' ? subject : found.userKey
    carry(errorOf(environment.id, found), found, { userKey, reads: uniqueReads(before) })
  }
  return { facts, dropped: pipeline.outcome().dropped }
}

type SignalEvent = Extract<TelemetryEvent, { kind: 'error' | 'exposure' }>

function contextOf(
  { session, service, version }: SignalOrigin,
  { userKey, reads }: { userKey: string; reads: FlagRead[] },
) {
  return {
    kind: 'context' as const,
    index: 0,
    session,
    service,
    version,
    ...(userKey !== '' && { userKey, sessionUserKey: userKey }),
    ...(reads.length > 0 && { reads }),
  }
}

function readsByTrace(reads: readonly FoundRead[]): Map<string, FoundRead[]> {
  const found = new Map<string, FoundRead[]>()
  for (const each of reads) {
    const { traceId } = each.found
    if (traceId === '') continue
    const ofTrace = found.get(traceId) ?? []
    ofTrace.push(each)
    found.set(traceId, ofTrace)
  }
  return found
}

/** The last of each flag. */
const uniqueReads = (reads: readonly FoundRead[]) => [
  ...new Map(reads.map(({ read }) => [read.flag, read])).values(),
]

/** The exposure of a user to a variation, once a day. */
export function exposureOf(environmentId: string, { found, read, subject }: FoundRead): SignalEvent {
  const { traceId, spanId, at, evaluation } = found
  const who = subject === '' ? `${traceId} ${spanId}` : subject
  const arm = read.split === undefined ? '' : `${read.split}.${read.epoch} ${read.unit}`
  const id = idOf(
    `exposure ${environmentId} ${Math.floor(at / day)} ${who} ${read.flag}=${read.variation} ${arm}`,
  )
  const attributes = {
    ...(evaluation.provider !== '' && { 'feature_flag.provider.name': evaluation.provider }),
    ...(evaluation.reason !== '' && { 'feature_flag.result.reason': evaluation.reason }),
  }
  return { kind: 'exposure', id, at, context: 0, flag: read.flag, traceId, attributes }
}

function errorOf(environmentId: string, found: FoundException): SignalEvent {
  const { traceId, spanId, at, service, handled, exception } = found
  const { type, message, stack } = exception
  const where = traceId === '' ? `${service} ${at}` : traceId
  const id = idOf(`error ${environmentId} ${where} ${type} ${message} ${stack}`)
  const attributes = spanId === '' ? {} : { 'span.id': spanId }
  return {
    ...{ kind: 'error' as const, id, at, context: 0, source: 'reported' as const, type, message },
    ...{ stack, handled, traceId, attributes },
  }
}

function idOf(text: string): string {
  return idFromBytes(createHash('sha256').update(`otlp ${text}`).digest().subarray(0, 16))
}
