// A Playwright test from the recording of a session: of the tab in which most failed.

import { problem } from '@telltale/core/errors'
import type { SessionEvent } from '@telltale/core/telemetry/replay-test/failures'
import type { PinnedFlag } from '@telltale/core/telemetry/replay-test/print-test'
import type { RequestDetail } from '@telltale/core/telemetry/replay-test/responses'
import type { RecordedView } from '@telltale/core/telemetry/replay-test/step-writer'
import { writeReplayTest } from '@telltale/core/telemetry/replay-test/write-test'
import { noId } from '@telltale/core/telemetry/row-text'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { getSession } from '../sessions/get-session.ts'
import type { TimelineRow } from '../sessions/timeline-queries.ts'
import { describeTabs, type ReplayTab } from './describe-tabs.ts'
import { type FoundDetail, findDetails, findEvents } from './find-whole.ts'
import { findFlagValues, findSegments } from './queries.ts'
import type { SegmentSource } from './read-segments.ts'
import { readSteps } from './read-steps.ts'

interface TestOf {
  session: string
  project: { id: string; key: string }
  env: string
  /** The address of the installation; undefined if it is not set. */
  site: string | undefined
  now: Date
}

/** @throws Problem `not-found` for a session without a recording. */
export async function writeTest(source: SegmentSource & { db: Queryable }, of: TestOf): Promise<string> {
  const { question, db } = source
  const { session } = of
  const known = await getSession(question, { id: session, now: of.now })
  const [rows, segments] = await Promise.all([findEvents(source, session), findSegments(question, session)])
  const tabs = describeTabs(segments)
  const tab = tabOf(tabs, rows)
  if (tab === undefined)
    throw problem('not-found', 'The session has no recording, so the steps of its user are not known.')
  const own = rows.filter(({ tab_id }) => tab_id === tab.id || tab_id === noId)
  const views = own.filter(({ kind }) => kind === 'view').map(toView)
  const last = tab.segments.at(-1)?.index ?? 0
  const { broken, ...recorded } = await readSteps(source, { session, tab: tab.id, views, last })
  if (recorded.steps.length === 0)
    throw problem('not-found', 'The recording has no page whose address is known.')
  const failedAt = Math.max(0, ...own.filter(isFailure).map(({ at }) => Number(at)))
  const { inForce, changed } = variationsAt(known.flagChanges, failedAt)
  const flags = await pinFlags(db, of.project.id, inForce)
  const details = (await findDetails(source, session)).filter((detail) => detail.tab === tab.id)
  return writeReplayTest({
    session,
    address: of.site === undefined ? '' : addressOf(of.site, of),
    description: `Recorded ${known.startedAt.slice(0, 16).replace('T', ' ')} UTC: ${wordsOf(known)}.`,
    browser: known.browser,
    isOwn: known.source === 'telltale',
    views,
    events: own.map(toEvent),
    recorded,
    details: details.map(toDetail),
    flags,
    suspect: suspectOf(known.flagChanges, flags, failedAt),
    lostFlags: [...inForce.keys()].filter((key) => flags.every((flag) => flag.key !== key)),
    changedFlags: changed,
    otherTabs: tabs.length - 1,
    gaps: tab.gaps.length + broken,
  })
}

const addressOf = (site: string, { project, env, session }: TestOf) =>
  `${site}/p/${project.key}/sessions/${session}?env=${env}`

const wordsOf = ({ browser, os, device, version }: Record<'browser' | 'os' | 'device' | 'version', string>) =>
  [browser, os, device, version && `version ${version}`].filter(Boolean).join(', ')

const isFailure = ({ kind, res_failed, frustration }: TimelineRow) =>
  kind === 'error' || res_failed === 1 || frustration.includes('dead')

function tabOf(tabs: readonly ReplayTab[], rows: readonly TimelineRow[]): ReplayTab | undefined {
  const failures = (tab: ReplayTab) => rows.filter((row) => row.tab_id === tab.id && isFailure(row)).length
  // The first of several: the sort keeps their order.
  return tabs.toSorted((one, other) => failures(other) - failures(one))[0]
}

type FlagChanges = Awaited<ReturnType<typeof getSession>>['flagChanges']

/** The variations at the last failure, and the flags whose variation had changed until then. */
function variationsAt(changes: FlagChanges, at: number) {
  const inForce = new Map<string, string>()
  const changed = new Set<string>()
  for (const change of changes) {
    const isBefore = at === 0 || Date.parse(change.at) <= at
    if (inForce.has(change.flag) && !isBefore) continue
    if (inForce.has(change.flag)) changed.add(change.flag)
    inForce.set(change.flag, change.variation)
  }
  return { inForce, changed: [...changed] }
}

/** Of those that were evaluated before the failure, the latest one that a split assigned, or else the latest. */
function suspectOf(changes: FlagChanges, flags: readonly PinnedFlag[], failedAt: number): string | undefined {
  const known = changes.filter(
    ({ flag, at }) => (failedAt === 0 || Date.parse(at) <= failedAt) && flags.some(({ key }) => key === flag),
  )
  return (known.findLast(({ split }) => split !== null) ?? known.at(-1))?.flag
}

async function pinFlags(
  db: Queryable,
  projectId: string,
  inForce: ReadonlyMap<string, string>,
): Promise<PinnedFlag[]> {
  const found = await findFlagValues(db, projectId, [...inForce.keys()])
  return found.flatMap(({ key, variations }) => {
    const recorded = inForce.get(key) ?? ''
    return variations.some((one) => one.key === recorded) ? [{ key, recorded, variations }] : []
  })
}

const toView = ({ at, url, name }: TimelineRow): RecordedView => ({
  at: Number(at),
  url,
  by: name === 'bfcache' ? 'back' : name === 'route' || name === 'soft' ? 'route' : 'load',
})

const toEvent = (row: TimelineRow): SessionEvent => ({
  kind: row.kind,
  at: Number(row.at),
  name: row.name,
  value: row.value,
  errorType: row.err_type,
  errorMessage: row.err_message,
  isHandled: row.err_handled === 1,
  method: row.res_method,
  url: row.target,
  target: row.target,
  status: row.res_status,
  isFailed: row.res_failed === 1,
  frustration: row.frustration,
  blocking: row.blocking,
})

const toDetail = ({ method, address, status, startedAt, request, response }: FoundDetail): RequestDetail => ({
  method,
  address,
  status,
  startedAt,
  sent: request.body,
  received: response.body,
})
