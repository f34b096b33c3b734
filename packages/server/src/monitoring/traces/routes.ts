import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { Services } from '../../platform/services.ts'
import { openQuestion } from '../explore/open-question.ts'
import { getSpan, getTrace } from './get-trace.ts'
import { listTraces } from './list-traces.ts'

export const traceRoutes: Handlers<Calls['traces'], Services> = {
  listTraces: async (services, requested) =>
    listTraces(await openQuestion(services, requested), requested.query),
  // A trace is found by its ID, whenever it was.
  getTrace: async (services, { project, params }) =>
    getTrace(await openQuestion(services, { project, params, query: {} }), params.trace),
  getSpan: async (services, { project, params }) =>
    getSpan(await openQuestion(services, { project, params, query: {} }), params),
}
