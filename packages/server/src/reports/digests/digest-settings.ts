import type { DigestSettings } from '@telltale/core/contract/digests'
import type { PlacedDigest } from './queries.ts'

/** The defaults: off; once turned on, Monday at eight. */
const unchanged: DigestSettings = {
  enabled: false,
  env: null,
  weekday: 1,
  hour: 8,
  channels: [],
  nextAt: null,
  lastSentAt: null,
  version: 0,
}

export function toDigestSettings(found: PlacedDigest | undefined): DigestSettings {
  if (found === undefined) return unchanged
  const { row, environment } = found
  const { enabled, weekday, hour, channels, nextAt, lastSentAt, version } = row
  return {
    enabled,
    env: environment?.key ?? null,
    weekday,
    hour,
    channels,
    nextAt: nextAt?.toISOString() ?? null,
    lastSentAt: lastSentAt?.toISOString() ?? null,
    version,
  }
}
