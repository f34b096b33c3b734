import type { ProfiledSpan } from './lanes.ts'
import type { Playhead } from './playhead-place.ts'

export function ProfileLink(_: { id: string; label: string }) {
  return null
}
export function ProfileAt(_: { profiles: readonly ProfiledSpan[]; playhead: Playhead }) {
  return null
}
