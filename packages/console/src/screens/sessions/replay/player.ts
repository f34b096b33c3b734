// One replay that is being played: what the screen around the picture knows of it and asks of it. Times are milliseconds since
// 1970 by the server's clock, like those of segments, events and notes.

export interface Span {
  readonly from: number
  readonly to: number
}

/** A part of a tab that cannot be shown. */
export interface ReplayGap extends Span {
  readonly tab: string
  readonly why: 'missing' | 'no-beginning' | 'broken'
  /** Segments that never arrived. */
  readonly missing: number
}

export type Speed = 1 | 2 | 4 | 8
export const speeds: readonly Speed[] = [1, 2, 4, 8]

/** What the recorder says of itself: it gathered changes, boxed a noisy part, stopped, or lost something. */
export interface RecorderNote {
  readonly at: number
  readonly tab: string
  readonly kind: 'throttled' | 'blocked' | 'stopped' | 'lost'
  /** Of `blocked`: the part, as a selector; of `stopped`: why. */
  readonly detail: string
}

export interface ReplayPrivacy {
  readonly level: 'mask-all' | 'mask-inputs' | 'allow'
  /** Why it was recorded: `sampled`, `error`, `rage`, `slow`, `flag`, `look-back`. */
  readonly reason: string
}

export interface PlayerState {
  /** `ready` from the first picture on. */
  readonly status: 'loading' | 'ready' | 'failed'
  readonly isPlaying: boolean
  /** It wants to play, and what comes next is not here yet. */
  readonly isBuffering: boolean
  /** The playhead stands at the end. */
  readonly hasEnded: boolean
  readonly at: number
  readonly startsAt: number
  /** Moves while the session goes on. */
  readonly endsAt: number
  readonly speed: Speed
  readonly isSkippingIdle: boolean
  /** Skipped a moment ago. */
  readonly idle: Span | undefined
  /** Something of the tab that is shown is there at the playhead. */
  readonly hasPicture: boolean
  /** The playhead stands in it. */
  readonly gap: ReplayGap | undefined
  /** Those of the index, and those that turned out to be broken. */
  readonly gaps: readonly ReplayGap[]
  /** The tab that is shown: the one that was used at the playhead, unless somebody chose another. */
  readonly tab: string
  /** In order of their beginning. */
  readonly tabs: readonly string[]
  /** The recorded window, CSS pixels. */
  readonly page: { readonly width: number; readonly height: number } | undefined
  readonly privacy: ReplayPrivacy | undefined
  /** Of what was read until now, in order. */
  readonly notes: readonly RecorderNote[]
  /** With `failed`: what to tell; `retry` tries again. */
  readonly problem: string | undefined
}

export interface Player {
  /** For `useSyncExternalStore`. */
  subscribe(listener: () => void): () => void
  getState(): PlayerState
  play(): void
  pause(): void
  toggle(): void
  seek(at: number): void
  seekBy(milliseconds: number): void
  setSpeed(speed: Speed): void
  setSkipIdle(isSkipping: boolean): void
  /** Stays with this tab, also while another one is used; nothing to follow the playhead again. */
  showTab(tab: string | undefined): void
  retry(): void
}
