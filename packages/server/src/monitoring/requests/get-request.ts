import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { getRequest as getRequestCall } from '@telltale/core/contract/requests'
import { periodOf } from '../explore/open-question.ts'
import type { Question } from '../explore/question.ts'
import { chooseSample, sampleOf } from '../explore/sample.ts'
import { fillSteps, readSteps } from '../explore/steps.ts'
import { toMeasured } from './measured.ts'
import { findRequest, findRequestPages, findRequestPoints, findStatuses, ofGroup } from './queries.ts'

/** A group without requests in the period has zeros instead of an error, because its link may be shared. */
export async function getRequest(
  asked: Question,
  { method, host, endpoint, step, exact }: QueryOf<typeof getRequestCall>,
): Promise<ReplyOf<typeof getRequestCall>> {
  const group = { method, host, endpoint }
  const question = await chooseSample(asked, {
    kind: 'resource',
    conditions: (sampled) => ofGroup(sampled, group),
    exact,
  })
  const steps = readSteps(question, step)
  const [measured, points, statuses, pages] = await Promise.all([
    findRequest(question, group),
    findRequestPoints(question, { group, steps }),
    findStatuses(question, group),
    findRequestPages(question, group),
  ])
  return {
    ...periodOf(question),
    sample: sampleOf(question),
    step: steps.step,
    timeZone: steps.timeZone,
    ...group,
    own: measured.own === 1,
    ...toMeasured(question, measured),
    series: fillSteps(steps, points, (point) => ({
      count: point?.count ?? 0,
      failed: point?.failed ?? 0,
      p50: point?.p50 ?? null,
      p75: point?.p75 ?? null,
      p95: point?.p95 ?? null,
    })),
    statuses,
    pages,
  }
}
