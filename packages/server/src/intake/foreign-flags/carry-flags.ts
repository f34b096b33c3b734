// The flags of a foreign client's sessions: the client clears them with every view, so reported values are carried
// forward here. A value is mapped to the variation that has it; where a split assigns the same variation to this user,
// the arm is derived, and its first occurrence is an exposure. Values that match no variation are shown unchanged, and
// have no arm.

import { limits } from '@telltale/core/limits'
import { cutText } from '@telltale/core/telemetry/clean-text'
import { isLikely } from '@telltale/core/telemetry/likely-time'
import { addReport, type ReportedValue } from '@telltale/core/telemetry/reported-values'
import type { RumEvent } from '@telltale/core/telemetry/rum-event'
import type { KnownEnvironment } from '../../organisation/keys/known-keys.ts'
import { createYielder } from '../../platform/process/create-yielder.ts'
import type { IntakeServices } from '../events/intake-services.ts'
import { createArmFinder } from './find-arm.ts'
import { createFlagHistories } from './flag-histories.ts'
import { createKnownSessions, flagsPerSession, type KnownSession } from './known-sessions.ts'
import { keepValue } from './label-value.ts'
import { exposuresOf } from './make-exposures.ts'
import { noteTraits, type Persons, personsOfViews } from './persons.ts'
import { createReadLists, type ReadList } from './read-lists.ts'
import { startRemembering } from './remember-sessions.ts'

interface FlagsToCarry {
  environment: KnownEnvironment
  /** The events of one batch, in order of arrival; views after the rest. */
  events: readonly RumEvent[]
  /** Added to client times. */
  offsetOf(session: string): number
  /** At this server, or at the edge that passes them on. */
  arrivedAt: number
}

interface Carried {
  /** The same events with `about.reads`, and exposures after them: each is stored once, by its ID. */
  events: RumEvent[]
  /** Storing failed: the exposures are created again when the client retries. */
  undo(): void
}

/** More than a session keeps: further ones are ignored. */
const flagsPerEvent = 2 * flagsPerSession
const eventsPerLook = 4

export type CarryFlags = (given: FlagsToCarry) => Promise<Carried>

/** A value reported by an event of the batch. */
export interface Sighting {
  reported: ReportedValue
  session: string
  flag: string
  event: RumEvent
}

type Parts = Pick<
  IntakeServices,
  'db' | 'announcements' | 'clock' | 'log' | 'telemetry' | 'config' | 'background' | 'intake'
>

interface ForeignFlags {
  carry: CarryFlags
  stop(): void
}

export function openForeignFlags(parts: Parts, source: string): ForeignFlags {
  const { intake } = parts
  const sessions = createKnownSessions(intake.now)
  const histories = createFlagHistories(parts)
  const behind = () => intake.condition().behind
  const remembering = startRemembering({ ...parts, sessions, source, now: intake.now, behind })

  return {
    async carry(given) {
      const { environment, events, offsetOf } = given
      const reported = new Set(events.map(({ about }) => about.session))
      const known = await remembering.recall(environment.id, reported)
      const persons = personsOfViews(events)
      const { sightings, tooMany } = await takeIn(given, known, persons)
      for (const [session, each] of known) sessions.weigh(environment.id, session, each)

      const history = await histories.open(environment, flagsOf(known))
      const finder = createArmFinder({ history, environment, boundName: intake.boundName })
      await finder.readOverrides(parts.db, sightings)
      const lists = createReadLists({ known, finder, persons, offsetOf })
      const mark = createMarker()
      const carried = events.map((event) => withReads(event, lists.of(event), mark))
      const { exposures, counted, undo } = exposuresOf(sightings, {
        environmentId: environment.id,
        known,
        finder,
        lists,
        offsetOf,
      })
      const count = (kind: string, reason: string, times: number) =>
        intake.outcomes.count({ environmentId: environment.id, kind, source, reason }, times)
      for (const [reason, times] of counted) count('flag', reason, times)
      count('flag', 'too_many', tooMany)
      return { events: [...carried, ...exposures], undo }
    },
    stop() {
      remembering.stop()
      histories.stop()
    },
  }
}

function flagsOf(known: ReadonlyMap<string, KnownSession>): Set<string> {
  return new Set([...known.values()].flatMap(({ flags }) => [...flags.keys()]))
}

/** Merges the values reported by the batch into the state of their sessions. */
async function takeIn(
  { events, offsetOf, arrivedAt }: FlagsToCarry,
  known: ReadonlyMap<string, KnownSession>,
  persons: Persons,
): Promise<{ sightings: Sighting[]; tooMany: number }> {
  const sightings = new Map<ReportedValue, Sighting>()
  const yieldIfDue = createYielder(eventsPerLook)
  let tooMany = 0
  for (const event of events) {
    const pause = yieldIfDue()
    if (pause !== undefined) await pause
    const { session, view = '' } = event.about
    const each = known.get(session)
    if (each === undefined) continue
    noteTraits(each, event)
    const span = spanOf(event)
    const arrival = { arrivedAt, ageMaximum: limits.eventAgeMaximum }
    if (span === undefined || !isLikely(span.since + offsetOf(session), arrival)) continue
    let read = 0
    for (const name in event.flags) {
      read += 1
      if (read > flagsPerEvent) break
      const value = event.flags[name]
      const flag = cutText(name.replaceAll('=', '_'), limits.keyLength)
      const kept = keepValue(value)
      if (kept === undefined) continue
      const reported = each.flags.get(flag) ?? []
      if (reported.length === 0 && each.flags.size >= flagsPerSession) {
        tooMany += 1
        continue
      }
      each.flags.set(flag, reported)
      const became = addReport(reported, { value: kept, ...span, ...persons.of(event), view })
      if (became !== undefined && !sightings.has(became)) {
        sightings.set(became, { reported: became, session, flag, event })
      }
    }
  }
  return { sightings: [...sightings.values()], tooMany }
}

/**
 * The earliest time at which the flags of an event may have been evaluated, and until when they applied. By the
 * client's clock: the estimate of its offset improves with every batch, while client times keep their order.
 */
function spanOf({ event }: RumEvent): { since: number; at: number } | undefined {
  // The state of a view has the flags with which it ended; `view_state` contains that time.
  const isOfView = event.kind === 'view' || event.kind === 'vital' || isTiming(event)
  if (isOfView || event.kind === 'exposure') return undefined
  const { at } = event
  return event.kind === 'view_state' ? { since: event.startedAt, at } : { since: at, at }
}

const isTiming = ({ kind, attributes }: RumEvent['event']) =>
  kind === 'custom' && attributes?.['datadog.type'] === 'timing'

type Attributes = RumEvent['about']['attributes']
type Marker = (attributes: Attributes, carried: string) => Attributes

/** The same object for all equal entries. */
function createMarker(): Marker {
  const marked = new Map<Attributes, Map<string, Attributes>>()
  return (attributes, carried) => {
    const ofThese = marked.get(attributes) ?? new Map<string, Attributes>()
    marked.set(attributes, ofThese)
    const found = ofThese.get(carried) ?? { ...attributes, carried_flags: carried }
    ofThese.set(carried, found)
    return found
  }
}

function withReads(event: RumEvent, { reads, carried }: ReadList, mark: Marker): RumEvent {
  if (reads.length === 0) return event
  const attributes = carried === '' ? undefined : mark(event.about.attributes, carried)
  return { ...event, about: { ...event.about, reads, ...(attributes && { attributes }) } }
}
