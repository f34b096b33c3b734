import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { getIssue as getIssueCall } from '@telltale/core/contract/issues'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { periodOf } from '../explore/open-question.ts'
import type { Question } from '../explore/question.ts'
import { chooseSample, sampleOf } from '../explore/sample.ts'
import { fillSteps, readSteps } from '../explore/steps.ts'
import { attributeIssues } from './attribute-issues.ts'
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
  { db, question }: { db: Queryable; question: Question },
  issue: FoundIssue,
  { query, merged, now }: ShowIssueOptions,
): Promise<ReplyOf<typeof getIssueCall>> {
  const { id, groups } = issue
  const steps = readSteps(question, query.step)
  const [newest, { counts, lifts, sample }, series, points, slices, attributes, shares] = await Promise.all([
    findNewest(question, groups),
    countAndLift(question, issue, query),
    countParts(question, { issues: [issue], parts }),
    countSteps(question, { groups, steps }),
    countSlices(question, groups),
    countAttributes(question, groups),
    attributeIssues(db, { question, now }, [issue]),
  ])
  return {
    ...toIssue(issue, now),
    ...(newest && {
      lastSeenAt: newest.at.toISOString(),
      lastSeenVersion: newest.version,
    }),
    ...counts,
    sample,
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
    attributions: shares.get(id) ?? [],
  }
}

async function countAndLift(question: Question, issue: FoundIssue, { exact }: ShowIssueOptions['query']) {
  const [counted, compared] = await Promise.all([
    countIssues(question, [issue]),
    chooseSample(question, { exact }),
  ])
  const counts = counted.get(issue.id) ?? { events: 0, sessions: 0, users: 0 }
  const lifts = await findLifts(compared, [{ ...issue, ...counts }])
  return { counts, lifts, sample: sampleOf(compared) }
}
