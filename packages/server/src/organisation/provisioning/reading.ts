// One reading of a setup file: where its parts stand, the secrets it refers to, and the faults found so far.

import type { Secret } from '@telltale/core/contract/setup-file'
import type { Fault } from '@telltale/core/errors'

export interface Reading {
  faults: Fault[]
  placeOf(entry: object): string
  fault(pointer: string, message: string): void
  /** The text of a secret; undefined, with a fault, when its variable has none. */
  readSecret(secret: Secret, pointer: string): string | undefined
  /** Whether nothing else in the file has this identity; otherwise the second one is at fault. */
  isFirst(identity: string, pointer: string): boolean
}

export function createReading(
  env: Record<string, string | undefined>,
  places: WeakMap<object, string>,
): Reading {
  const faults: Fault[] = []
  const firsts = new Map<string, string>()
  const fault = (pointer: string, message: string) => {
    faults.push({ pointer, message })
  }

  return {
    faults,
    fault,
    placeOf: (entry) => places.get(entry) ?? '',
    readSecret: (secret, pointer) => {
      if (typeof secret === 'string') return secret

      const text = env[secret.env]
      if (!text) fault(`${pointer}/env`, `the environment variable ${secret.env} is missing or empty`)
      return text || undefined
    },
    isFirst: (identity, pointer) => {
      const first = firsts.get(identity)
      if (first === undefined) firsts.set(identity, pointer)
      else fault(pointer, `is already declared at ${first}`)
      return first === undefined
    },
  }
}
