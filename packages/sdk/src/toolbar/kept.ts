// What the pages of a tab share: the checked link, the forced values, and how the toolbar was left. It ends with the tab.

import type { EventContext, TelemetryEvent } from '@telltale/core/contract/events'
import type { FlagDetails } from '../flags/values.ts'

export type SentEvent = [event: TelemetryEvent, context: EventContext]

export interface Grant {
  /** Milliseconds since 1970. */
  expiresAt: number
  /** The origin of the console, and the keys that its addresses contain. */
  console: string
  project: string
  env: string
}

export type ForcedFlag = readonly [flag: string, details: FlagDetails<unknown>]

export interface KeptToolbar {
  /** The next page of the tab has it, too. */
  isOn?: boolean
  /** Undefined: the application opened it. */
  grant?: Grant | undefined
  forced?: readonly ForcedFlag[] | undefined
  /** The forced values, as telemetry is marked. */
  mark?: string | undefined
  isCollapsed?: boolean | undefined
  /** The tab is recorded, whatever the sample is. */
  isRecorded?: boolean | undefined
}

/** What holds for this page. */
export interface ToolbarInForce extends KeptToolbar {
  /** Called for each sent event. */
  note?(...sent: SentEvent): void
}

export interface ForcedValue {
  value: unknown
  /** Known when the console named it. */
  variation?: string | undefined
}

const forcedAtMost = 50
/** Of all that is kept, in characters. */
const longest = 100_000
/** The server truncates longer attributes. */
const longestMark = 1_000

/**
 * Undefined when there is no room for it. Without a variant, because reads of a variant are exposures.
 */
export function force(
  kept: KeptToolbar,
  flag: string,
  { value, variation }: ForcedValue,
): KeptToolbar | undefined {
  const details = {
    value,
    reason: 'OVERRIDE',
    ...(variation !== undefined && { metadata: { forced: variation } }),
  }
  const next = withForced(kept, [...others(kept, flag), [flag, details]])
  const isTooMuch = (next.forced?.length ?? 0) > forcedAtMost || JSON.stringify(next).length > longest
  return isTooMuch ? undefined : next
}

export function release(kept: KeptToolbar, flag: string): KeptToolbar {
  return withForced(kept, others(kept, flag))
}

const others = ({ forced = [] }: KeptToolbar, flag: string) => forced.filter(([key]) => key !== flag)

function withForced(kept: KeptToolbar, forced: readonly ForcedFlag[]): KeptToolbar {
  const mark = forced.map(([flag, details]) => `${flag}=${forcedText(details)}`).join(', ')
  return { ...kept, forced, mark: mark.slice(0, longestMark) }
}

/** The variation, else the value. */
export function forcedText({ value, metadata }: FlagDetails<unknown>): string {
  return `${metadata?.forced ?? (typeof value === 'string' ? value : JSON.stringify(value))}`
}
