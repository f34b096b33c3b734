import { givenKeyLength, givenKeyPattern, type KeyEntry } from '@telltale/core/contract/setup-file'
import { kindOfSdkKey, type SdkKeyKind, serverKeyPrefix } from '@telltale/core/keys'
import type { KeyDeclaration } from './declarations.ts'
import type { Reading } from './reading.ts'

/** The key, unless there is a fault in it. */
export function declareKey(reading: Reading, environment: string, entry: KeyEntry): KeyDeclaration[] {
  const pointer = reading.placeOf(entry)
  const { kind, label, value: secret, manage = false } = entry
  if (secret === undefined) {
    const isFirst = reading.isFirst(`generated ${environment} ${kind} ${label ?? ''}`, pointer)
    return isFirst ? [{ pointer, kind, label, value: undefined, manage }] : []
  }

  const place = `${pointer}/value`
  const value = reading.readSecret(secret, place)
  if (value === undefined) return []

  const faults = faultsOf(value, kind)
  for (const fault of faults) reading.fault(place, fault)
  // Short ones are told apart too: each of them is a fault already, and twice the same is another one.
  const isFirst = reading.isFirst(`value ${value}`, place)
  return isFirst && faults.length === 0 ? [{ pointer, kind, label, value, manage }] : []
}

const allowed = new RegExp(givenKeyPattern)

/** What is wrong with a given key, never repeating it. */
function faultsOf(value: string, kind: SdkKeyKind): string[] {
  const { minimum, maximum } = givenKeyLength
  const isServer = kindOfSdkKey(value) === 'server'
  return [
    ...(value.length < minimum ? [`must have ${minimum} characters or more`] : []),
    ...(value.length > maximum ? [`must have ${maximum} characters or fewer`] : []),
    ...(allowed.test(value) ? [] : ['may contain only letters, digits, dots, hyphens and underscores']),
    ...(kind === 'server' && !isServer ? [`a server key begins with "${serverKeyPrefix}"`] : []),
    ...(kind === 'client' && isServer ? [`a client key does not begin with "${serverKeyPrefix}"`] : []),
  ]
}
