// The columns that many events share, as JSON, written once for each context of a batch.

import type { EventContext, FlagRead } from '../contract/events.ts'
import { isHiddenSplit } from './hidden-split.ts'
import { idText, instantText } from './row-text.ts'
import { unitHash } from './unit-hash.ts'

/** Facts about a request that the server determines itself. */
export interface Origin {
  environmentId: string
  projectId: string
  receivedAt: number
  /** Milliseconds for which an edge kept the request: its events are older by that. */
  waited?: number
  source: string
  /** Sent with a server key: about a server, not a browser. */
  isServer: boolean
  bot: boolean
  country: string
  browser: string
  browserVersion: string
  os: string
  device: string
}

/** A context with cleaned texts and its page. */
export interface ContextFields {
  context: EventContext
  page: string
  url: string
  referrer: string
  weight: number
  /** From `userHash`. */
  userHash: string
}

export const contextColumns = [
  'environment_id',
  'project_id',
  'received_at',
  'session_id',
  'tab_id',
  'view_id',
  'user_key',
  'anonymous_id',
  'user_hash',
  'weight',
  'source',
  'bot',
  'service',
  'version',
  'page',
  'url',
  'referrer',
  'country',
  'browser',
  'browser_version',
  'os',
  'device',
  'connection',
  'has_replay',
] as const

const json = JSON.stringify

/** Values in the order of `contextColumns`, without brackets. */
export function contextRow(origin: Origin, { context, ...fields }: ContextFields): string {
  return [
    idText(origin.environmentId),
    idText(origin.projectId),
    instantText(origin.receivedAt),
    idText(context.session),
    idText(context.tab),
    idText(context.view),
    json(context.userKey ?? ''),
    json(context.anonymousId ?? ''),
    `"${fields.userHash}"`,
    String(fields.weight),
    json(origin.source),
    origin.bot ? '1' : '0',
    json(context.service ?? ''),
    json(context.version ?? ''),
    json(fields.page),
    json(fields.url),
    json(fields.referrer),
    json(origin.country),
    json(origin.browser),
    json(origin.browserVersion),
    json(origin.os),
    json(origin.device),
    json(context.connection ?? ''),
    context.hasReplay === true ? '1' : '0',
  ].join(',')
}

/** The user of server telemetry without a subject: counted in no number of users. */
const noUser = '0'

/** A server has no sessions: its events count for the user that they name. */
export function userHashOnServer(environment: string, { userKey = '', anonymousId = '' }: EventContext) {
  const value = userKey === '' ? anonymousId : userKey
  return value === '' ? noUser : unitHash({ environment, attribute: 'targetingKey', value })
}

/**
 * Constant for a whole session: hashes what flags bucketed on at its first event, which is the targeting key or, before
 * sign-in, the anonymous id in its place.
 */
export function userHash(environment: string, context: EventContext): string {
  const { sessionUserKey = '', anonymousId = '', session } = context
  const value = sessionUserKey === '' ? anonymousId : sessionUserKey
  return value === ''
    ? unitHash({ environment, attribute: 'session', value: session })
    : unitHash({ environment, attribute: 'targetingKey', value })
}

export interface FlagsOfContext {
  /** All `flag=variation` pairs, as JSON. */
  flags: string
  /** All arms, as JSON. */
  arms: string
  /** The arms of each flag, for its exposure. */
  armsOf: ReadonlyMap<string, string>
}

const noArms: ReadonlyMap<string, string> = new Map()
const noFlags: FlagsOfContext = { flags: '[]', arms: '[]', armsOf: noArms }
const largestSplit = 2n ** 64n - 1n

/** `beside`: additional arms, as JSON, that belong to no flag. */
export function flagsOfContext(
  environment: string,
  reads: readonly FlagRead[] | undefined,
  beside = '',
): FlagsOfContext {
  if (reads === undefined || reads.length === 0)
    return beside === '' ? noFlags : { ...noFlags, arms: `[${beside}]` }

  const armsOf = new Map<string, string>()
  for (const read of reads) {
    const arm = armOf(environment, read)
    armsOf.set(read.flag, arm === undefined ? '[]' : `[${arm}]`)
  }
  const arms = [...armsOf.values()].filter((arm) => arm !== '[]').map((arm) => arm.slice(1, -1))
  if (beside !== '') arms.push(beside)
  return {
    flags: json(reads.map(({ flag, variation }) => `${flag}=${variation}`)),
    arms: `[${arms.join(',')}]`,
    armsOf,
  }
}

function armOf(environment: string, { split, epoch, by, unit, variation }: FlagRead): string | undefined {
  if (split === undefined || by === undefined || unit === undefined) return undefined
  // Clients must not assign themselves to hidden splits.
  const number = BigInt(split)
  if (number > largestSplit || isHiddenSplit(String(number))) return undefined
  const hash = unitHash({ environment, attribute: by, value: unit })
  return `["${split}",${epoch ?? 0},${json(variation)},"${hash}"]`
}
