// Messages between the console and the document of the player. The console fetches data and keeps the time; the
// document parses, sanitises and renders. Neither trusts a recording: messages about one consist of numbers and
// short texts.

/** From the console. `run` counts restarts of the picture; messages of an older run are ignored. */
export type PlayerCommand =
  | { readonly do: 'begin'; readonly run: number }
  | {
      readonly do: 'segment'
      readonly run: number
      readonly index: number
      /** Milliseconds since 1970 by the server's clock. */
      readonly startedAt: number
      readonly endedAt: number
      /** Lines of JSON, one operation each. */
      readonly lines: string
    }
  /** Only read for its assets. */
  | { readonly do: 'words'; readonly run: number; readonly lines: string }
  | { readonly do: 'asset'; readonly hash: string; readonly mime: string; readonly bytes: ArrayBuffer }
  | { readonly do: 'show'; readonly run: number; readonly at: number }

export interface RecorderNote {
  readonly at: number
  readonly kind: 'throttled' | 'thinned' | 'blocked' | 'stopped' | 'lost'
  readonly detail: string
}

export interface RecordedPrivacy {
  readonly level: 'mask-all' | 'mask-inputs' | 'allow'
  readonly reason: string
}

export type PlayerMessage =
  | {
      readonly kind: 'read'
      readonly run: number
      readonly index: number
      readonly events: number
      /** Times of user activity, in order. */
      readonly moments: readonly number[]
      readonly notes: readonly RecorderNote[]
      readonly privacy: RecordedPrivacy | undefined
    }
  /** Everything up to this moment is shown; without a size while nothing could be built. */
  | {
      readonly kind: 'shown'
      readonly run: number
      readonly at: number
      readonly page: { readonly width: number; readonly height: number } | undefined
    }
  /** Fonts or style sheets arrived that the picture was built without. */
  | { readonly kind: 'learned'; readonly run: number }
  /** The page at the start of this segment cannot be built. */
  | { readonly kind: 'broken'; readonly run: number; readonly index: number }

/** Of the first message, which transfers the port. */
export const greeting = 'telltale-replay'
export const playerPath = '/replay-player/'
