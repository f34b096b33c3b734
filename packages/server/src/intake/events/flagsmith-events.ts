// `POST v1/events`: experiment events of the browser client. A variant that a user saw becomes an exposure of the arm
// that this server assigned; other events become events of the application. They take the same path as batches of our
// own client.

import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FlagRead } from '@telltale/core/contract/events'
import { armOf } from '@telltale/core/evaluation/arm'
import { isContext } from '@telltale/core/evaluation/context'
import { evaluateFlag } from '@telltale/core/evaluation/evaluate'
import { limits } from '@telltale/core/limits'
import { clientAddressOf, relayedBy } from '../../platform/http/relayed.ts'
import type { ServedFlag, ServedRuleSet } from '../../release/delivery/build-rule-set.ts'
import type { TakeEvents } from '../../release/flagsmith/bind-flagsmith.ts'
import { entryFor, nameOf } from '../../release/flagsmith/flag-texts.ts'
import { type FlagsmithRequest, jsonOf } from '../../release/flagsmith/flagsmith-request.ts'
import { Refused } from '../../release/flagsmith/refused.ts'
import { idFromBytes } from '../spool/id-bytes.ts'
import { browserOf, type GivenBrowser } from './browsers.ts'
import type { IntakeServices } from './intake-services.ts'
import { createTakeBatch, type TakeBatch } from './take-batch.ts'

const exposure = '$flag_exposure'
const source = 'flagsmith'

/** Handles the request, within the intake's admission limit. */
export function takeFlagsmithEvents(
  services: Pick<IntakeServices, 'intake' | 'live' | 'erasedPeople'>,
): TakeEvents {
  const take = takeEvents(createTakeBatch(services))
  return (requested, request) =>
    services.intake.admission.admit(() =>
      take(requested, {
        browser: browserOf(request),
        address: clientAddressOf(request),
        waited: relayedBy(request)?.waited ?? 0,
      }),
    )
}

/** The origin of a request. */
interface Sender {
  browser: GivenBrowser
  address: string
  /** Milliseconds for which an edge kept the request. */
  waited: number
}

function takeEvents(takeBatch: TakeBatch) {
  return async (requested: FlagsmithRequest, { browser, address, waited }: Sender): Promise<object> => {
    const events = readEvents(requested)
    const { lines, leftOut } = render(events, requested)
    if (lines.length === 0) return { accepted: 0, dropped: leftOut }
    const { accepted, dropped } = await takeBatch({
      environment: requested.key.environment,
      browser: { ...browser, isServer: requested.key.kind === 'server' },
      address,
      source,
      batchId: undefined,
      sentAt: undefined,
      waited,
      body: { stream: Readable.from([Buffer.from(lines.join('\n'))]), encoding: undefined },
      claim: requested.claim,
    })
    return { accepted, dropped: dropped.reduce((sum, { count }) => sum + count, leftOut) }
  }
}

/** The events of the body, unchecked. Throws `Refused`. */
export function readEvents(requested: FlagsmithRequest): readonly unknown[] {
  const body = jsonOf(requested)
  const events: unknown = isContext(body) ? body.events : undefined
  if (!Array.isArray(events)) throw new Refused(400, { events: ['This field is required.'] })
  if (events.length <= limits.eventsPerBatch) return events
  throw new Refused(400, {
    events: [`Ensure this field has no more than ${limits.eventsPerBatch} elements.`],
  })
}

interface FlagsmithEvent {
  name: string
  flag: string | undefined
  identifier: string
  value: string | undefined
  traits: Record<string, unknown>
  at: number
}

/** The same body always gives the same lines, so that a retry is recognised. */
function render(events: readonly unknown[], { key, served }: FlagsmithRequest) {
  const reported = events.flatMap((event) => readEvent(event) ?? [])
  const names = new Map([...served.flags.values()].map((flag) => [spell(nameOf(flag)), flag]))
  const contexts = new Map<string, { index: number; first: FlagsmithEvent; reads: Map<string, FlagRead> }>()
  const lines: string[] = []
  for (const [index, each] of reported.entries()) {
    const { identifier, traits, name, at, value } = each
    const who = contexts.get(identifier) ?? { index: contexts.size, first: each, reads: new Map() }
    contexts.set(identifier, who)
    const id = idOf(key.environment.id, index, JSON.stringify(each))
    if (name !== exposure) {
      lines.push(JSON.stringify({ kind: 'custom', id, at, context: who.index, name, ...numberIn(value) }))
      continue
    }
    const flag = names.get(spell(each.flag ?? ''))
    const read = flag && readOf(served, flag, { identifier, traits, value })
    if (read === undefined) continue
    who.reads.set(read.flag, read)
    lines.push(JSON.stringify({ kind: 'exposure', id, at, context: who.index, flag: read.flag }))
  }
  const opened = [...contexts.values()].map(({ index, first, reads }) => {
    const { identifier, traits, at } = first
    const day = Math.floor(at / 86_400_000)
    const session = idOf(key.environment.id, day, identifier)
    const context = { kind: 'context', index, session, userKey: identifier, attributes: traits }
    return JSON.stringify({ ...context, reads: [...reads.values()] })
  })
  return { lines: lines.length === 0 ? [] : [...opened, ...lines], leftOut: events.length - lines.length }
}

/** Undefined for anything that is not an event, or has no identity. */
function readEvent(event: unknown): FlagsmithEvent | undefined {
  if (!isContext(event)) return undefined
  const { event: name, feature_name: flag, identifier, value, traits, timestamp: at } = event
  const isNamed =
    typeof name === 'string' && name !== '' && typeof identifier === 'string' && identifier !== ''
  if (!isNamed || typeof at !== 'number' || at < 0 || identifier.length > limits.targetingKeyLength)
    return undefined
  const given = isContext(traits) ? Object.entries(traits) : []
  return {
    name,
    identifier,
    at,
    flag: typeof flag === 'string' ? flag : undefined,
    value: typeof value === 'string' ? value : undefined,
    traits: Object.fromEntries(
      given.filter(([, trait]) => ['string', 'number', 'boolean'].includes(typeof trait)),
    ),
  }
}

/** The identity's assignment, if it matches the client's; otherwise the flag has changed meanwhile. */
function readOf(
  { ruleSet }: ServedRuleSet,
  flag: ServedFlag,
  { identifier, traits, value }: Pick<FlagsmithEvent, 'identifier' | 'traits' | 'value'>,
): FlagRead | undefined {
  const context = { ...traits, targetingKey: identifier }
  const evaluation = evaluateFlag(ruleSet, flag.compiled, context)
  const { variation, split } = evaluation
  const { variant } = entryFor(ruleSet, flag, { evaluation, hasIdentity: true })
  if (variation === undefined || (value !== undefined && value !== variant)) return undefined
  const arm = armOf(evaluation, context)
  if (arm === undefined || split === undefined) return { flag: flag.key, variation }
  return { flag: flag.key, variation, split: arm.split, epoch: arm.epoch, by: split.by, unit: arm.unit }
}

/** Clients write names in lower case, with underscores. */
function spell(name: string): string {
  return name.toLowerCase().replaceAll(' ', '_')
}

function numberIn(value: string | undefined): { value?: number } {
  const number = value === undefined || value.trim() === '' ? Number.NaN : Number(value)
  return Number.isFinite(number) ? { value: number } : {}
}

function idOf(environmentId: string, place: number, text: string): string {
  const digest = hash('sha256', `${environmentId} ${place} ${text}`, 'buffer')
  // A UUID of version 8, derived from the client's own ID.
  const bytes = Buffer.from(digest.subarray(0, 16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return idFromBytes(bytes)
}
