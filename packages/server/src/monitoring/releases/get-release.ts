import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { getRelease as getReleaseCall } from '@telltale/core/contract/releases'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { periodOf } from '../explore/open-question.ts'
import type { Question } from '../explore/question.ts'
import { fillSteps, readSteps } from '../explore/steps.ts'
import { toVitals } from '../explore/vitals.ts'
import { toIssue } from '../issues/issue.ts'
import { findIssuesOfVersion } from '../issues/queries.ts'
import { countVersioned, findPrevious, findRelease, findReleasePoints, findVitalsOf } from './queries.ts'
import { toReleases } from './release.ts'

export async function getRelease(
  { db, projectId, now }: { db: Queryable; projectId: string; now: Date },
  question: Question,
  { version, step }: QueryOf<typeof getReleaseCall>,
): Promise<ReplyOf<typeof getReleaseCall>> {
  const { environmentId } = question
  const steps = readSteps(question, step)
  const row = await findRelease(question, version)
  const all = await countVersioned(question)
  const [release] = row === undefined ? [] : await toReleases(db, [row], { projectId, environmentId, all })
  if (row === undefined || release === undefined)
    throw problem('not-found', 'This version was never seen in the environment.')
  const [points, vitals, previous] = await Promise.all([
    findReleasePoints(question, { version, steps }),
    findVitalsOf(question, version),
    findPrevious(question, { version, first: Number(row.first) }),
  ])
  const issues = await findIssuesOfVersion(db, { environmentId, version, count: limits.releaseIssues })
  return {
    ...periodOf(question),
    step: steps.step,
    timeZone: steps.timeZone,
    ...release,
    previous: previous ?? null,
    vitals: toVitals(vitals),
    series: fillSteps(steps, points, (point) => ({
      sessions: point?.sessions ?? 0,
      crashed: point?.crashed ?? 0,
      all: point?.all ?? 0,
    })),
    issues: issues.map((issue) => ({
      ...toIssue(issue, now),
      kind: issue.regressedIn === version ? ('regressed' as const) : ('new' as const),
    })),
  }
}
