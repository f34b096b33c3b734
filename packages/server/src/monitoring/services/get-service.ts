import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { getService as getServiceCall } from '@telltale/core/contract/services'
import { limits } from '@telltale/core/limits'
import { spanKinds } from '@telltale/core/otlp-names'
import { periodOf } from '../explore/open-question.ts'
import type { Question } from '../explore/question.ts'
import { instantOfMicroseconds } from '../explore/span-time.ts'
import { fillSteps, readSteps } from '../explore/steps.ts'
import { findFlags, findOperations, findServicePoints, findServices, type OperationRow } from './queries.ts'
import { percentileOf, toRate } from './rate.ts'

/** A service without spans in the period has zeros instead of an error, because its link may be shared. */
export async function getService(
  question: Question,
  { service, step }: QueryOf<typeof getServiceCall>,
): Promise<ReplyOf<typeof getServiceCall>> {
  const steps = readSteps(question, step)
  const [[found], points, operations, flags] = await Promise.all([
    findServices(question, service),
    findServicePoints(question, { service, steps }),
    findOperations(question, service),
    findFlags(question, service),
  ])
  const row = found ?? none
  return {
    ...periodOf(question),
    step: steps.step,
    timeZone: steps.timeZone,
    service,
    versions: row.versions,
    language: row.language,
    ...toRate(question, row),
    p99: percentileOf(row.p99, row.requests),
    spans: Number(row.spans),
    lastSeenAt: found === undefined ? null : instantOfMicroseconds(row.latest),
    flags: flags.get(service) ?? [],
    series: fillSteps(steps, points, (point = { at: 0, ...none }) => {
      const { requests, failed, p50, p95 } = toRate(question, point)
      return { requests, failed, p50, p95, p99: percentileOf(point.p99, point.requests) }
    }),
    operations: toOperations(question, operations.slice(0, limits.operationsPerService)),
    moreOperations: operations.length > limits.operationsPerService,
  }
}

const none = {
  ...{ versions: [], language: '', spans: '0', latest: '0' },
  ...{ requests: '0', failed: '0', p50: 0, p95: 0, p99: 0 },
}

function toOperations(question: Question, rows: readonly OperationRow[]) {
  const whole = rows.reduce((sum, { total }) => sum + total, 0)
  return rows.map((row) => ({
    name: row.operation,
    kind: spanKinds.find((kind) => kind === row.spanKind) ?? 'unspecified',
    ...toRate(question, row),
    timeShare: whole === 0 ? 0 : Math.min(1, row.total / whole),
  }))
}
