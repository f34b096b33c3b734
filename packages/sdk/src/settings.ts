// The environment's settings for browsers. Cached for the next page and refreshed when stale; where both the
// application and the environment set a value, the stricter one applies.

import { readStored, writeStored } from './browser/store.ts'

export type PrivacyLevel = 'mask-all' | 'mask-inputs' | 'allow'

export interface Settings {
  /** Percent of sessions. */
  sampling: number
  privacyLevel: PrivacyLevel
  /** Percent of sessions that are recorded, and profiled. */
  replay: number
  profile: number
  /** The highest rate of any session, if some are recorded more often. */
  reach?: number
  /** Which ones, as the server sent it. */
  orders?: unknown
  /** What replays mask beside the level, as the server sent it. */
  masking?: unknown
  /** What replays contain of console and requests, as the server sent it. */
  capture?: unknown
}

export interface SettingsOptions {
  url: string
  key: string
  fetch: typeof fetch
  own: OwnSettings
}

export interface OwnSettings {
  sampling?: number | undefined
  privacyLevel?: PrivacyLevel | undefined
}

const levels: readonly (PrivacyLevel | undefined)[] = ['mask-all', 'mask-inputs', 'allow']
/** Refreshed after this time: a change reaches open pages within two minutes. */
const lifetime = 90_000

/** `undefined`: the server refuses the key. Otherwise the settings known by then. */
export async function loadSettings({ url, key, fetch, own }: SettingsOptions): Promise<Settings | undefined> {
  const name = `telltale:${key}:settings`
  let given: object | undefined
  try {
    const kept = JSON.parse(readStored(name) ?? '[0]')
    given = kept[1]
    if (Math.abs(Date.now() - kept[0]) > lifetime) {
      const answer = await fetch(`${url}/sdk/v1/config?key=${encodeURIComponent(key)}`, {
        credentials: 'omit',
      })
      if (answer.status === 401 || answer.status === 403) return undefined
      if (answer.ok) {
        given = await answer.json()
        writeStored(name, JSON.stringify([Date.now(), given]))
      }
    }
  } catch {
    // No response: the last settings apply.
  }
  return stricter(own, given)
}

/** Of a page, and of the one that shows it. Masks everything where one is unknown. */
export function stricterLevel(level: PrivacyLevel, other: unknown): PrivacyLevel {
  const known = levels.find((each) => each === other)
  return (known && levels.find((each) => each === known || each === level)) ?? 'mask-all'
}

/** Defaults, when nothing else is set. */
export function stricter(own: OwnSettings, given?: object): Settings {
  const { sampling, privacyLevel = 'mask-inputs' } = Object(given)
  const { session = 100, replay = 0, profile = 0 } = Object(sampling)
  return {
    ...given,
    replay,
    profile,
    sampling: Math.min(own.sampling ?? 100, session),
    // The first is the strictest.
    privacyLevel: levels.find((level) => level === own.privacyLevel || level === privacyLevel) ?? 'mask-all',
  }
}
