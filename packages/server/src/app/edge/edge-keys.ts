// The keys of all environments of an edge, by hash.

import { setTimeout } from 'node:timers/promises'
import {
  environmentsAmong,
  type KnownKey,
  type KnownKeys,
  keysAmong,
} from '../../organisation/keys/known-keys.ts'
import type { EdgeEnvironment } from './follow-environment.ts'

export interface EdgeKeys extends KnownKeys {
  /** Takes the current documents. */
  update(): void
  environmentOf(environmentId: string): EdgeEnvironment | undefined
}

/** Milliseconds. Guessed keys cause at most one request to the server in this time. */
const lookAgainAfter = 500

export function createEdgeKeys(environments: readonly EdgeEnvironment[]): EdgeKeys {
  let byHash = new Map<string, KnownKey>()
  let byId = new Map<string, KnownKey>()
  let byEnvironment = new Map<string, EdgeEnvironment>()
  let askedAt = Number.NEGATIVE_INFINITY
  let again: Promise<boolean> | undefined

  const askSoon = async () => {
    await setTimeout(Math.max(0, askedAt + lookAgainAfter - performance.now()))
    askedAt = performance.now()
    const answers = await Promise.all(environments.map((each) => each.askAgain()))
    return answers.every((isAnswered) => isAnswered)
  }

  return {
    update() {
      const known = byId
      const keys: KnownKey[] = []
      byEnvironment = new Map()
      for (const each of environments) {
        const document = each.document()
        if (document === undefined) continue
        const { environment } = document
        byEnvironment.set(environment.id, each)
        for (const key of document.keys)
          keys.push(kept(known.get(key.id), { ...key, environment: { ...environment, keyId: key.id } }))
      }
      byHash = new Map(keys.map((key) => [key.hash, key]))
      byId = new Map(keys.map((key) => [key.id, key]))
    },
    environmentOf: (id) => byEnvironment.get(id),
    findByHash: (hash) => byHash.get(hash),
    findById: (id) => byId.get(id),
    environmentsOf: (projectId) => environmentsAmong(byId.values(), projectId),
    keysOf: (environmentId) => keysAmong(byId.values(), environmentId),
    // An edge has no values of keys.
    clientKeyOf: () => undefined,
    lookAgain() {
      again ??= askSoon().finally(() => {
        again = undefined
      })
      return again
    },
    stop: () => undefined,
  }
}

/** Cached texts belong to the object of a key, so an unchanged key stays the same object. */
function kept(known: KnownKey | undefined, key: KnownKey): KnownKey {
  return known !== undefined && JSON.stringify(known) === JSON.stringify(key) ? known : key
}
