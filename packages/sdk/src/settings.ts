// What the environment wants of its browsers. Kept for the next page, asked again when it is old; where both the application
// and the environment say something, the stricter one holds.

import { readStored, writeStored } from './browser/store.ts'

export type PrivacyLevel = 'mask-all' | 'mask-inputs' | 'allow'

export interface Settings {
  /** Percent of sessions. */
  sampling: number
  privacyLevel: PrivacyLevel
  /** Percent of sessions that are recorded, and profiled. */
  replay: number
  profile: number
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
/** Asked again after this time. */
const lifetime = 5 * 60_000

/** `undefined`: the server refuses the key. Otherwise what is known by then. */
export async function loadSettings({ url, key, fetch, own }: SettingsOptions): Promise<Settings | undefined> {
  const name = `telltale:${key}:settings`
  let given: unknown
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
    // Nobody answers: the last ones hold.
  }
  return stricter(own, given)
}

/** With nothing given: what holds as long as nobody else said anything. */
export function stricter(own: OwnSettings, given?: unknown): Settings {
  const { sampling, privacyLevel } = Object(given)
  const wanted = [own.privacyLevel, privacyLevel ?? 'mask-inputs'].map((level) => levels.indexOf(level))
  const { session = 100, replay = 0, profile = 0 } = Object(sampling)
  return {
    replay,
    profile,
    sampling: Math.min(own.sampling ?? 100, session),
    privacyLevel: levels[Math.min(...wanted.filter((level) => level >= 0))] ?? 'mask-all',
  }
}
