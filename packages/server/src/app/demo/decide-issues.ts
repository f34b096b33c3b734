// Applies the demo's decisions about error issues once the issues exist: the history reaches the tables some
// time after its hand-in.

import { setTimeout as pause } from 'node:timers/promises'
import { emptyFilter } from '@telltale/core/query/filter'
import { ask } from '../../monitoring/explore/question.ts'
import { changeIssue } from '../../monitoring/issues/change-issue.ts'
import { findNotedIssues } from '../../monitoring/issues/find-noted-issues.ts'
import type { IssueServices } from '../../monitoring/issues/note-groups.ts'
import type { FoundIssue } from '../../monitoring/issues/queries.ts'
import { countGroups } from '../../monitoring/issues/seen-errors.ts'
import type { EnvironmentRow } from '../../organisation/environments/queries.ts'
import { isUsable } from '../../platform/engines/clickhouse/telemetry.ts'
import type { DemoDecision, DemoProject } from './demo.ts'

interface Deciding {
  project: { id: string; key: string }
  environment: EnvironmentRow
  demo: DemoProject
  begunAt: Date
  /** By name. */
  people: ReadonlyMap<string, string>
  signal: AbortSignal
}

const retryPause = 1_000
const attempts = 60

/** Returns the number of decisions made; those about errors that did not occur are skipped. */
export async function decideIssues(services: IssueServices, deciding: Deciding): Promise<number> {
  let open = [...deciding.demo.decisions]
  for (let attempt = 0; open.length > 0 && attempt < attempts && !deciding.signal.aborted; attempt++) {
    if (attempt > 0) await pause(retryPause, undefined, { signal: deciding.signal }).catch(() => undefined)
    if (!isUsable(services.telemetry.state().state)) continue
    const issues = await findIssues(services, deciding)
    const later: DemoDecision[] = []
    for (const decision of open) {
      const about = issues.filter(({ message }) => message.includes(decision.message))
      if (about.length === 0) later.push(decision)
      const at = new Date(deciding.begunAt.getTime() - decision.ago)
      // A decision cannot precede the first error of its issue.
      const known = about.filter(({ firstSeenAt }) => firstSeenAt <= at)
      for (const issue of known) await decide(services, deciding, { decision, issue, at })
    }
    open = later
  }
  return deciding.demo.decisions.length - open.length
}

/** Of the history. */
async function findIssues(
  services: IssueServices,
  { environment: { id, timeZone }, begunAt, demo }: Deciding,
): Promise<FoundIssue[]> {
  const to = begunAt.getTime()
  const scope = { environmentId: id, timeZone, from: to - demo.historyAgo, to, filter: emptyFilter }
  const groups = await countGroups(ask(services.telemetry, scope))
  return findNotedIssues(
    services,
    id,
    groups.map(({ group }) => group),
  )
}

async function decide(
  { db }: IssueServices,
  { project, environment, people }: Deciding,
  { decision, issue, at }: { decision: DemoDecision; issue: FoundIssue; at: Date },
): Promise<void> {
  const { by, state, assignee } = decision
  const origin = {
    actor: { kind: 'user', id: people.get(by) ?? null, name: by } as const,
    requestId: null,
    now: at,
  }
  const assigneeId = assignee === undefined ? undefined : people.get(assignee)
  await changeIssue(db, origin, {
    project,
    environment,
    id: issue.id,
    ifMatch: undefined,
    // Later versions are not released yet at that time.
    versions: [issue.firstSeenVersion],
    draft: { ...(state && { state }), ...(assigneeId && { assignee: assigneeId }) },
  })
}
