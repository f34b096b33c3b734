import { isHiddenTrait } from '@telltale/core/evaluation/hide-traits'
import { queryValue } from '../../organisation/keys/sdk-key.ts'
import type { Delivery } from '../delivery/delivery.ts'
import { flagsText } from './flag-texts.ts'
import { type Answer, type FlagsmithRequest, jsonOf } from './flagsmith-request.ts'
import {
  findIdentity,
  type IdentityRequest,
  readIdentity,
  readIdentityOfQuery,
  refuseUnsigned,
} from './identities.ts'
import { Refused } from './refused.ts'
import type { TraitsStore } from './traits-store.ts'

/**
 * A client key is public and can request any identifier, so stored values of sensitive traits are returned to
 * server keys only. Values sent in the same request are returned, as Flagsmith's clients expect.
 */
function mayShow({ key, identity }: { key: FlagsmithRequest['key']; identity: IdentityRequest }) {
  const hidden = new Set(key.kind === 'server' ? [] : key.environment.sensitiveTraits)
  const given = new Map(identity.given.map((trait) => [trait.key, trait.value]))
  return ({ trait_key: name, trait_value: value }: { trait_key: string; trait_value: unknown }) =>
    !isHiddenTrait(name, hidden) || (given.has(name) && given.get(name) === value)
}

/** `identities/`: the flags of an identity, whose traits are stored before the response. */
export function identitiesCall(delivery: Delivery, store: TraitsStore) {
  const { evaluationCounts: counts } = delivery
  const answer = async (
    { key, served, query, address, elsewhere }: FlagsmithRequest,
    identity: IdentityRequest,
  ): Promise<Answer> => {
    refuseUnsigned({ key, delivery }, identity)
    // An identity that the client does not name has no kept traits.
    if (elsewhere !== undefined && identity.isNamed) return elsewhere()
    const name = queryValue(query, 'feature')
    const { id, flagsmith } = key.environment
    const isTrusted = key.kind === 'server' || flagsmith?.takesClientTraits !== false
    const { traits, listed } = await findIdentity(store, isTrusted ? identity : { ...identity, given: [] }, {
      environmentId: id,
      address,
      mayKeep: flagsmith?.keepsTraits !== false,
    })
    const { identifier } = identity
    const context = { ...traits, targetingKey: identifier }
    const flags = flagsText(served, { key, context, hasIdentity: true, counts }, name)
    // A single flag is returned like in `flags/`.
    if (name !== undefined && flags === '[]') throw new Refused(404, { detail: 'Given feature not found' })
    if (name !== undefined) return { text: flags.slice(1, -1) }
    const shown = flagsmith?.hidesSensitive === true ? [] : listed.filter(mayShow({ key, identity }))
    return {
      text: `{"identifier":${JSON.stringify(identifier)},"flags":${flags},"traits":${JSON.stringify(shown)}}`,
    }
  }
  return {
    get: (requested: FlagsmithRequest) => answer(requested, readIdentityOfQuery(requested.query)),
    post: (requested: FlagsmithRequest) => answer(requested, readIdentity(jsonOf(requested))),
  }
}
