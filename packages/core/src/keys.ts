// Format of keys, ids and names in URLs, tables and files.

export const keyPattern = '^[a-z0-9][a-z0-9._-]{0,63}$'
export const keyLength = 64

const key = new RegExp(keyPattern)

export function isKey(text: string): boolean {
  return key.test(text)
}

/** Distinguishes server keys from client keys wherever they appear. */
export const serverKeyPrefix = 'ser.'

/** Distinguishes API tokens from everything else, so that secret scanners find leaked ones. */
export const apiTokenPrefix = 'tta_'

/** Of tokens that identity providers use for SCIM, and for nothing else. */
export const scimTokenPrefix = 'ttm_'

/** `Pedal & Post` becomes `pedal-post`. Empty if nothing of the name can be in a key. */
export function keyOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, keyLength)
    .replace(/^-+|-+$/g, '')
}

export type SdkKeyKind = 'client' | 'server'

export function kindOfSdkKey(value: string): SdkKeyKind {
  return value.startsWith(serverKeyPrefix) ? 'server' : 'client'
}

/**
 * The sample position of a session between 0 and 1: the session is sampled if it is below the sampling rate. Derived
 * from the id alone, so that every tab, every page and the server agree, and a lower rate selects a subset of a
 * higher one.
 */
export function samplePosition(sessionId: string): number {
  return Number.parseInt(sessionId.slice(-8), 16) / 2 ** 32
}
