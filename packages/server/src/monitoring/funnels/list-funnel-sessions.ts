import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { listFunnelSessions as listFunnelSessionsCall } from '@telltale/core/contract/funnels'
import { problem } from '@telltale/core/errors'
import type { Question } from '../explore/question.ts'
import { pageFoundSessions } from './found-sessions.ts'
import { renderFunnel, timeOfEvent } from './funnel-rows.ts'
import { readFunnel } from './measure-funnel.ts'

/**
 * Of a user who was lost before a step: the session of their last event that reached the step before. Of one who
 * reached it: that of the first event that did.
 */
export async function listFunnelSessions(
  question: Question,
  { query, now }: { query: QueryOf<typeof listFunnelSessionsCall>; now: Date },
): Promise<ReplyOf<typeof listFunnelSessionsCall>> {
  const funnel = readFunnel(query)
  const { step, outcome = 'lost', value } = query
  const refuse = (pointer: string, message: string) =>
    problem('invalid-request', { errors: [{ pointer, message }] })
  if (step > funnel.steps.length) throw refuse('?step', 'is not a step of the funnel')
  if (outcome === 'lost' && step === 1)
    throw refuse('?step', 'must be at least 2: no one is lost before the first')
  if (value !== undefined && funnel.split === undefined) throw refuse('?by', 'is needed for a value')

  const place =
    outcome === 'lost' ? `arrayLastIndex(start -> start != 0, starts_${step - 1})` : `place_${step}`
  const conditions = [
    outcome === 'lost' ? `place_${step - 1} > 0 AND place_${step} = 0` : `place_${step} > 0`,
    ...(value === undefined ? [] : [`split_value = ${question.bind(value, 'String')}`]),
    ...(value !== undefined && funnel.split?.flag !== undefined ? ['length(seen) = 1'] : []),
  ]
  const rows = renderFunnel(
    question,
    { ...funnel, split: value === undefined ? undefined : funnel.split },
    { upTo: step, withSessions: true },
  )
  const found = `SELECT event_sessions[${place}] AS session, ${timeOfEvent(`events[${place}]`)} AS at
    FROM ${rows} WHERE ${conditions.join(' AND ')}`
  return pageFoundSessions(question, { found, query, now })
}
