// A test from a recorded session: what its parts together can reproduce, and what they cannot.

import { type Failure, type Failures, findFailures, originOf, pathOf, type SessionEvent } from './failures.ts'
import { findClick } from './find-click.ts'
import { type PinnedFlag, printTest } from './print-test.ts'
import { findResponses, type RequestDetail, type Responses } from './responses.ts'
import type { NotRepeated, RecordedView, Step } from './step-writer.ts'
import type { RecordedSteps } from './steps.ts'

export interface ReplayTestSource {
  readonly session: string
  /** Of the session in the console; empty if the address of the installation is not known. */
  readonly address: string
  readonly description: string
  readonly browser: string
  /** Whether Telltale's SDK recorded it. */
  readonly isOwn: boolean
  readonly views: readonly RecordedView[]
  readonly events: readonly SessionEvent[]
  readonly recorded: RecordedSteps
  readonly details: readonly RequestDetail[]
  readonly flags: readonly PinnedFlag[]
  /** The flag whose variation most likely made the difference. */
  readonly suspect: string | undefined
  /** Flags that browsers no longer get. */
  readonly lostFlags: readonly string[]
  /** Flags whose variation changed during the session. */
  readonly changedFlags: readonly string[]
  /** Besides the one that the test repeats. */
  readonly otherTabs: number
  /** Parts of the recording that are missing or cannot be read. */
  readonly gaps: number
}

/** Between the times of events and those of the recording, milliseconds: each is corrected by when it arrived. */
const tolerance = 1_500

/** The source of a Playwright test in TypeScript. */
export function writeReplayTest(source: ReplayTestSource): string {
  const { session, address, description, views, events, isOwn, flags, suspect } = source
  const origin = originOf(views[0]?.url ?? '')
  const failures = findFailures(events, { origin, seesReports: isOwn })
  const recorded = { ...source.recorded, steps: untilLast(source.recorded.steps, failures.asserted) }
  const isRepeated = (failure: Failure) =>
    failure.kind !== 'click' || findClick(recorded.steps, failure) !== undefined
  const asserted = failures.asserted.filter(isRepeated)
  const responses = findResponses(source.details)
  const missed = failures.asserted.length - asserted.length
  return printTest({
    session,
    address,
    description,
    origin,
    flags,
    suspect,
    recorded,
    asserted,
    responses,
    notReproduced: [
      ...notesOnStart(source, recorded),
      ...notesOnSteps(recorded),
      ...notesOnResponses(source.details, responses),
      ...notesOnFlags(source),
      ...notesOnFailures(failures, missed),
    ],
  })
}

function untilLast(steps: readonly Step[], failures: readonly Failure[]): readonly Step[] {
  if (failures.length === 0) return steps
  const last = Math.max(...failures.map(({ at }) => at)) + tolerance
  return steps.filter(({ at }, index) => index === 0 || at <= last)
}

function notesOnStart(source: ReplayTestSource, { steps, startedAt }: RecordedSteps): string[] {
  const { browser, otherTabs, gaps, events } = source
  const earlier = events.filter(({ kind, at }) => kind === 'action' && at < startedAt - tolerance).length
  const parameters = steps.flatMap((step) => ('url' in step ? namesIn(step.url) : []))
  return [
    'Cookies, storage and sign-in from before the session. If the site needs them, set storageState.',
    ...(parameters.length > 0 ? [`Parameters of addresses: ${listOf(parameters)}.`] : []),
    ...(earlier > 0 ? [`${countOf(earlier, 'action')} before the recording began.`] : []),
    ...(otherTabs > 0
      ? [`What happened in ${otherTabs === 1 ? 'another tab' : `${otherTabs} other tabs`}.`]
      : []),
    ...(gaps > 0 ? ['What happened while the recording has gaps.'] : []),
    ...(browser !== '' && !/chrom|edge|opera/i.test(browser)
      ? [`The browser: the session was recorded in ${browser}. Choose the project of the same engine.`]
      : []),
  ]
}

const sentences: Readonly<Record<NotRepeated, string>> = {
  file: 'The choice of a file.',
  'rich-text': 'Text typed into an editor.',
  canvas: 'The position of clicks on a canvas.',
  'too-many': 'Steps after the limit of one test.',
}

function notesOnSteps({ steps, notRepeated }: RecordedSteps): string[] {
  const masked = steps.filter((step) => step.do === 'fill' && step.isMasked).length
  const unknown = steps.filter((step) => step.do === 'choose' && step.label === undefined).length
  return [
    ...(masked > 0
      ? [`The text of ${countOf(masked, 'field')}: masked, so x of the same length is typed.`]
      : []),
    ...(unknown > 0
      ? [`The choice in ${countOf(unknown, 'list')}: masked, so the second option is chosen.`]
      : []),
    ...[...notRepeated].map((kind) => sentences[kind]),
  ]
}

function notesOnResponses(details: readonly RequestDetail[], { notKept, unclear }: Responses): string[] {
  if (details.length === 0)
    return [
      'Responses: none is recorded, so the server of the site gets every request. Request rules record them.',
    ]
  return [
    ...(notKept.length > 0
      ? [`Responses that are not recorded in full, so the server gets: ${listOf(notKept)}.`]
      : []),
    ...(unclear.length > 0
      ? [`Responses that differ by parameters that are not recorded, so the server gets: ${listOf(unclear)}.`]
      : []),
  ]
}

function notesOnFlags({ lostFlags, changedFlags }: ReplayTestSource): string[] {
  return [
    ...(lostFlags.length > 0
      ? [`Variations of flags that browsers no longer get: ${listOf(lostFlags)}.`]
      : []),
    ...(changedFlags.length > 0
      ? [
          `Changes of a variation during the session, of ${listOf(changedFlags)}: the last one is served from the start.`,
        ]
      : []),
  ]
}

function notesOnFailures({ notAsserted }: Failures, missed: number): string[] {
  return [
    ...notAsserted,
    ...(missed > 0
      ? [`${countOf(missed, 'click')} without an effect: no step of the recording is at the same time.`]
      : []),
  ]
}

const mostListed = 12

function listOf(names: readonly string[]): string {
  const distinct = [...new Set(names)]
  const rest = distinct.length - mostListed
  return rest > 0 ? `${distinct.slice(0, mostListed).join(', ')} and ${rest} more` : distinct.join(', ')
}

const countOf = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`

function namesIn(url: string): string[] {
  const [, query = ''] = url.split('#', 1)[0]?.split('?') ?? []
  return query
    .split('&')
    .flatMap((pair) => (pair === '' || /.=./.test(pair) ? [] : [`${pathOf(url)}?${pair.split('=', 1)[0]}`]))
}
