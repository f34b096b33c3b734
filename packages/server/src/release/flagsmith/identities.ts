// The identity of a request in Flagsmith's format, with its traits, including the stored ones.

import { hash, randomUUID } from 'node:crypto'
import { isContext } from '@telltale/core/evaluation/context'
import { limits } from '@telltale/core/limits'
import { claimIn } from '@telltale/core/signed-user'
import type { KnownKey } from '../../organisation/keys/known-keys.ts'
import { isStorable } from '../../platform/http/strict-json.ts'
import { checkUser } from '../delivery/check-user.ts'
import type { Delivery } from '../delivery/delivery.ts'
import type { NewIdentity } from '../identities/identity-room.ts'
import { Refused } from './refused.ts'
import { type GivenTrait, mergeTraits, readTraits } from './traits.ts'
import type { TraitsStore } from './traits-store.ts'

export interface IdentityRequest {
  identifier: string
  given: GivenTrait[]
  /** The client named it. */
  isNamed: boolean
  /** Nothing of it is stored. */
  isTransient: boolean
}

/**
 * Flagsmith's clients send no signature, so a client key cannot name an identity where one is required. Throws
 * `Refused`.
 */
export function refuseUnsigned(
  { key, delivery }: { key: KnownKey; delivery: Delivery },
  { identifier: targetingKey, isNamed }: Pick<IdentityRequest, 'identifier' | 'isNamed'>,
): void {
  const claim = claimIn({ targetingKey })
  const refused = isNamed ? checkUser(key, claim, delivery) : undefined
  if (refused !== undefined) throw new Refused(refused.status, { detail: refused.message })
}

/** From the body of a request. Throws `Refused`. */
export function readIdentity(body: unknown): IdentityRequest {
  if (!isContext(body)) throw new Refused(400, { detail: 'Expected an object with an identifier.' })
  const given = readTraits(body.traits)
  return named(body.identifier, { given, isTransient: body.transient === true })
}

/** From a URL, where all values are text. */
export function readIdentityOfQuery(query: unknown): IdentityRequest {
  const { identifier, transient } = isContext(query) ? query : {}
  if (identifier === undefined || identifier === '') {
    throw new Refused(400, { detail: 'Missing identifier' })
  }
  return named(identifier, { given: [], isTransient: transient === 'true' || transient === 'True' })
}

function named(
  identifier: unknown,
  { given, isTransient }: Pick<IdentityRequest, 'given' | 'isTransient'>,
): IdentityRequest {
  if (identifier === undefined || identifier === null || identifier === '') {
    return { identifier: inventIdentifier(given), given, isNamed: false, isTransient: true }
  }
  const text = typeof identifier === 'number' ? String(identifier) : identifier
  if (typeof text !== 'string' || text.length > limits.targetingKeyLength || !isStorable(text)) {
    const message = `Ensure this field is a text of no more than ${limits.targetingKeyLength} characters.`
    throw new Refused(400, { identifier: [message] })
  }
  return { identifier: text, given, isNamed: true, isTransient }
}

/** An anonymous identity: equal traits get equal buckets. */
function inventIdentifier(given: readonly GivenTrait[]): string {
  if (given.length === 0) return randomUUID()
  const pairs = given.map(({ key, value }) => `${key}${value ?? ''}`).sort()
  return hash('sha256', pairs.join(''))
}

interface KnownIdentity {
  /** The traits for the evaluation. */
  traits: Readonly<Record<string, unknown>>
  /** The traits in the response: all of them. */
  listed: { trait_key: string; trait_value: unknown; transient?: true }[]
}

/** The identity with its stored traits, after storing those of the request. */
export async function findIdentity(
  store: TraitsStore,
  { identifier, given, isTransient }: IdentityRequest,
  { environmentId, address, mayKeep }: NewIdentity & { mayKeep: boolean },
): Promise<KnownIdentity> {
  const isPassing = (trait: GivenTrait) => trait.isTransient || isTransient || !mayKeep
  const lasting = given.filter((trait) => !isPassing(trait))
  const stored = await store.merge({
    environmentId,
    address,
    targetingKey: identifier,
    change: () => lasting,
    isKept: !isTransient,
  })
  const traits = mergeTraits(stored, given.filter(isPassing))
  const passing = new Set(given.filter(isPassing).map(({ key }) => key))
  const listed = Object.entries(traits)
    .filter(([, value]) => isTraitValue(value))
    .map(([key, value]) => ({
      trait_key: key,
      trait_value: value,
      ...(passing.has(key) ? { transient: true as const } : {}),
    }))
  return { traits, listed }
}

/** Contexts of other clients may contain structures, which Flagsmith's clients do not support as traits. */
function isTraitValue(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
