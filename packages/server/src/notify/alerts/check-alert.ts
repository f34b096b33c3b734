import type { AlertRule } from '@telltale/core/contract/alerts'
import { problem } from '@telltale/core/errors'
import { newAlert } from '@telltale/core/states/alert'
import { readMeasure } from '../../monitoring/explore/explore.ts'
import { readFilter } from '../../monitoring/explore/open-question.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { findChannels } from '../channels/queries.ts'
import type { AlertRow } from './queries.ts'

/** Throws `invalid-request` for an invalid query. */
export function checkRule(rule: AlertRule): void {
  if (rule.kind !== 'measure') return
  if (rule.query.filter !== undefined) readFilter(rule.query.filter, '/rule/query/filter')
  readMeasure(rule.query, rule.query.kind)
}

/** Throws `invalid-request` for a channel of another project. */
export async function checkChannels(db: Queryable, projectId: string, ids: readonly string[]): Promise<void> {
  const known = new Set((await findChannels(db, projectId)).map(({ id }) => id))
  const errors = ids.flatMap((id, index) =>
    known.has(id) ? [] : [{ pointer: `/channels/${index}`, message: 'is not a channel of the project' }],
  )
  if (errors.length > 0) throw problem('invalid-request', { errors })
}

/** The initial state of a rule. */
export function beginWith(
  rule: AlertRule,
  now: Date,
): Pick<AlertRow, 'rule' | 'events' | 'standing' | 'state' | 'seen' | 'nextAt' | 'leasedUntil'> {
  const isMeasure = rule.kind === 'measure'
  return {
    rule,
    events: isMeasure ? [] : rule.events,
    standing: isMeasure ? newAlert(now.getTime()) : null,
    state: isMeasure ? 'no-data' : 'ok',
    seen: null,
    nextAt: isMeasure ? now : null,
    leasedUntil: null,
  }
}
