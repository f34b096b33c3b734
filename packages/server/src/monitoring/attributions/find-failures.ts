// The failures of one session or user, by issue, with the arms in effect when they happened.

import { attributed } from '@telltale/core/attribution-limits'
import type { Attribution } from '@telltale/core/contract/attributions'
import type { Question } from '../explore/question.ts'
import { attributeIssues } from '../issues/attribute-issues.ts'
import { findNotedIssues } from '../issues/find-noted-issues.ts'
import type { IssueServices } from '../issues/note-groups.ts'
import type { FoundIssue } from '../issues/queries.ts'
import { isError } from '../issues/seen-errors.ts'

interface FailureRow {
  group: string
  failures: number
  sessions: string[]
  first: string
  last: string
  arms: [split: string, epoch: number, arm: string][]
}

/** What one session or user had of an issue. */
export interface FoundFailure {
  issue: FoundIssue
  failures: number
  sessions: number
  firstAt: Date
  lastAt: Date
  attributions: Attribution[]
}

/** `whose`: a condition on the errors in the period of the question. The most recent first. */
export async function findFailures(
  services: IssueServices,
  question: Question,
  whose: readonly string[],
): Promise<FoundFailure[]> {
  const rows = await question.read<FailureRow>(
    `SELECT toString(err_group) AS group, toFloat64(count()) AS failures,
      groupUniqArrayIf(1000)(toString(session_id), notEmpty(session_id)) AS sessions,
      toString(toUnixTimestamp64Milli(min(ts))) AS first, toString(toUnixTimestamp64Milli(max(ts))) AS last,
      arrayMap(a -> (toString(a.1), a.2, toString(a.3)), groupUniqArrayArray(arms)) AS arms
    FROM ${question.events(isError, ...whose)} GROUP BY err_group ORDER BY max(ts) DESC, group LIMIT ${attributed.issues}`,
  )
  if (rows.length === 0) return []
  const now = services.clock()
  const groups = rows.map(({ group }) => group)
  const issues = await findNotedIssues(services, question.environmentId, groups)
  const shares = rows.some(({ arms }) => arms.length > 0)
    ? await attributeIssues(services.db, { question, now }, issues)
    : new Map<string, Attribution[]>()
  return issues
    .map((issue) => {
      const own = rows.filter(({ group }) => issue.groups.includes(group))
      return {
        issue,
        failures: own.reduce((sum, { failures }) => sum + failures, 0),
        sessions: new Set(own.flatMap(({ sessions }) => sessions)).size,
        firstAt: new Date(Math.min(...own.map(({ first }) => Number(first)))),
        lastAt: new Date(Math.max(...own.map(({ last }) => Number(last)))),
        attributions: (shares.get(issue.id) ?? []).filter((one) => own.some((row) => wasIn(row, one))),
      }
    })
    .sort((one, other) => other.lastAt.getTime() - one.lastAt.getTime())
}

/** Whether the variation was in effect at one of these failures. */
function wasIn({ arms }: FailureRow, { split, variation, epochs }: Attribution): boolean {
  return arms.some(
    ([id, epoch, arm]) => id === split && arm === variation && epoch >= epochs.first && epoch <= epochs.last,
  )
}
