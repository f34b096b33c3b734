// `traits/`: single traits, for clients other than those in JavaScript.

import { isContext } from '@telltale/core/evaluation/context'
import { limits } from '@telltale/core/limits'
import type { Delivery } from '../delivery/delivery.ts'
import { type Answer, type FlagsmithRequest, jsonOf } from './flagsmith-request.ts'
import { readIdentity, refuseUnsigned } from './identities.ts'
import { Refused } from './refused.ts'
import type { GivenTrait } from './traits.ts'
import type { TraitsStore } from './traits-store.ts'

interface OneTrait {
  identifier: string
  trait: GivenTrait
}

export function traitsCalls(delivery: Delivery, store: TraitsStore) {
  const readSigned = ({ key }: FlagsmithRequest, body: unknown) => {
    const one = readOne(body)
    refuseUnsigned({ key, delivery }, { ...one, isNamed: true })
    return one
  }
  const keep = async ({ key, address }: FlagsmithRequest, { identifier, trait }: OneTrait) => {
    await store.merge({
      environmentId: key.environment.id,
      address,
      targetingKey: identifier,
      change: () => [trait],
      isKept: true,
    })
    return { identity: { identifier }, trait_key: trait.key, trait_value: trait.value }
  }
  return {
    post: async (requested: FlagsmithRequest): Promise<Answer> => {
      refuseUntrusted(requested)
      return { value: await keep(requested, readSigned(requested, jsonOf(requested))) }
    },
    putAll: async (requested: FlagsmithRequest): Promise<Answer> => {
      refuseUntrusted(requested)
      const list = jsonOf(requested)
      if (!Array.isArray(list) || list.length > limits.traitsPerIdentity) {
        throw new Refused(400, { detail: `Expected a list of at most ${limits.traitsPerIdentity} traits.` })
      }
      // All are validated before the first is stored.
      return {
        value: await Promise.all(
          list.map((one) => readSigned(requested, one)).map((one) => keep(requested, one)),
        ),
      }
    },
    increment: async (requested: FlagsmithRequest): Promise<Answer> => {
      refuseUntrusted(requested)
      const body = jsonOf(requested)
      const { identifier, trait_key: name, increment_by: step } = isContext(body) ? body : {}
      if (typeof step !== 'number' || !Number.isSafeInteger(step)) {
        throw new Refused(400, { increment_by: ['A valid integer is required.'] })
      }
      const { identifier: targetingKey, trait } = readSigned(requested, {
        identity: { identifier },
        trait_key: name,
        trait_value: step,
      })
      let value = step
      await store.merge({
        environmentId: requested.key.environment.id,
        address: requested.address,
        targetingKey,
        isKept: true,
        change: (stored) => {
          const before = stored[trait.key] ?? 0
          if (typeof before !== 'number' || !Number.isInteger(before)) {
            throw new Refused(400, { detail: 'Trait value is not an integer.' })
          }
          value = before + step
          return [{ ...trait, value }]
        },
      })
      return { value: { identifier: targetingKey, trait_key: trait.key, trait_value: value } }
    },
  }
}

function readOne(body: unknown): OneTrait {
  const { identity, ...trait } = isContext(body) ? body : {}
  const identifier = isContext(identity) ? identity.identifier : undefined
  const read = readIdentity({ identifier, traits: [trait] })
  const [given] = read.given
  if (read.isTransient || given === undefined) {
    throw new Refused(400, { identity: ['This field is required.'] })
  }
  return { identifier: read.identifier, trait: given }
}

/** If browsers may not write traits, only server keys can. */
function refuseUntrusted({ key }: FlagsmithRequest): void {
  const isTrusted = key.kind === 'server' || key.environment.flagsmith?.takesClientTraits !== false
  if (!isTrusted) throw new Refused(403, { detail: 'Setting traits with a client key is not allowed.' })
}
