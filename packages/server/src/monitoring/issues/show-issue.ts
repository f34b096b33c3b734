import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { getIssue as getIssueCall } from '@telltale/core/contract/issues'
import { periodOf } from '../explore/open-question.ts'
import type { Question } from '../explore/question.ts'
import { fillSteps, readSteps } from '../explore/steps.ts'
import { toIssue } from './issue.ts'
import { findLifts } from './issue-lifts.ts'
import { countAttributes, countSlices } from './issue-slices.ts'
import { parts } from './list-issues.ts'
import type { FoundIssue } from './queries.ts'
import { countIssues, countParts, countSteps, findNewest } from './seen-errors.ts'

interface ShowIssueOptions {
  query: QueryOf<typeof getIssueCall>
  merged: ReplyOf<typeof getIssueCall>['merged']
  now: Date
}

export async function showIssue(
  question: Question,
  issue: FoundIssue,
  { query, merged, now }: ShowIssueOptions,
): Promise<ReplyOf<typeof getIssueCall>> {
  const { id, groups } = issue
  const steps = readSteps(question, query.step)
  const [newest, counts, series, points, slices, attributes, lifts] = await Promise.all([
    findNewest(question, groups),
    countIssues(question, [issue]),
    countParts(question, { issues: [issue], parts }),
    countSteps(question, { groups, steps }),
    countSlices(question, groups),
    countAttributes(question, groups),
    findLifts(question, [issue]),
  ])
  return {
    ...toIssue(issue, now),
    ...(newest && {
      lastSeenAt: newest.at.toISOString(),
      lastSeenVersion: newest.version,
    }),
    ...(counts.get(id) ?? { events: 0, sessions: 0, users: 0 }),
    ...periodOf(question),
    step: steps.step,
    timeZone: steps.timeZone,
    series: series.get(id) ?? [],
    points: fillSteps(steps, points, (row) => ({
      events: row?.events ?? 0,
      sessions: Number(row?.sessions ?? 0),
    })),
    slices,
    merged,
    attributes,
    lifts: lifts.get(id) ?? [],
  }
}
