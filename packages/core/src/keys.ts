// Keys, ids and names as they stand in URLs, tables and files.

export const keyPattern = '^[a-z0-9][a-z0-9._-]{0,63}$'

const key = new RegExp(keyPattern)

export function isKey(text: string): boolean {
  return key.test(text)
}

/** Server keys are told from client keys by this prefix, wherever they appear. */
export const serverKeyPrefix = 'ser.'

/** API tokens are told from everything else by this prefix, so that scanners find leaked ones. */
export const apiTokenPrefix = 'tta_'

export type SdkKeyKind = 'client' | 'server'

export function kindOfSdkKey(value: string): SdkKeyKind {
  return value.startsWith(serverKeyPrefix) ? 'server' : 'client'
}

/**
 * Where a session stands between 0 and 1: it is sampled when that is below the share of sessions that is wanted. From its
 * id alone, so that every tab, every page and the server say the same, and a lower share is a part of a higher one.
 */
export function samplePosition(sessionId: string): number {
  return Number.parseInt(sessionId.slice(-8), 16) / 2 ** 32
}
