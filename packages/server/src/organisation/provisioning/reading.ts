// The state of reading a setup file: positions of its parts, its secrets, and the faults found so far.

import type { Secret } from '@telltale/core/contract/setup-file'
import type { Fault } from '@telltale/core/errors'

export interface Reading {
  faults: Fault[]
  locationOf(entry: object): string
  fault(pointer: string, message: string): void
  /** The value of a secret; undefined, with a fault, if its variable is not set. */
  readSecret(secret: Secret, pointer: string): string | undefined
  /** Whether this identity occurs for the first time; a second occurrence is a fault. */
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
    locationOf: (entry) => places.get(entry) ?? '',
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
