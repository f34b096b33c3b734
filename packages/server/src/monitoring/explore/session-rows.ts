// Sessions as one row each, merged from the daily rows of the roll-up, and conditions on such a row.

import type { Chip } from '@telltale/core/query/filter'
import type { FieldName } from '@telltale/core/query/filter-fields'
import { renderAttachedChip } from './attached.ts'
import { anyOf, type Bind, compare, renderFlag, renderList } from './conditions.ts'

const day = 86_400_000

/** Columns of `sessionRows`. */
const columns: Partial<Record<FieldName, readonly string[]>> = {
  browser: ['browser'],
  os: ['os'],
  device: ['device'],
  country: ['country'],
  source: ['source'],
  'entry-page': ['entry_page'],
  'exit-page': ['exit_page'],
  session: ['session_id'],
  replay: ['has_replay'],
  bot: ['bot'],
  length: ['length'],
  views: ['views'],
  actions: ['actions'],
  requests: ['requests'],
  'failed-requests': ['failed'],
  errors: ['errors'],
  'unhandled-errors': ['unhandled'],
  'rage-clicks': ['rage'],
  'dead-clicks': ['dead'],
  'error-clicks': ['error_click'],
  trouble: ['trouble'],
}
/** All values that a session had: one match is enough. */
const lists: Partial<Record<FieldName, readonly string[]>> = {
  version: ['versions'],
  user: ['user_keys', 'anonymous_ids'],
}
const worstVitals: Partial<Record<FieldName, string>> = {
  lcp: 'lcp_worst',
  inp: 'inp_worst',
  cls: 'cls_worst',
}

/** Sessions of the environment that began in the period, each with all of its days. */
export function sessionRows({ from, to }: { from: number; to: number }, bind: Bind, condition = '1'): string {
  const [begin, end] = [from, to].map((at) => `fromUnixTimestamp64Milli(${bind(at, 'Int64')})`)
  return `SELECT s.session_id AS session_id, min(s.started) AS started, max(s.ended) AS ended,
  toUnixTimestamp64Milli(max(s.ended)) - toUnixTimestamp64Milli(min(s.started)) AS length,
  max(s.user_hash) AS user_hash, argMaxIfMerge(s.user_key) AS user_key, groupUniqArrayArray(s.user_keys) AS user_keys,
  groupUniqArrayArray(s.anonymous_ids) AS anonymous_ids, max(s.weight) AS weight, max(s.source) AS source, max(s.bot) AS bot,
  groupUniqArrayArray(s.versions) AS versions, argMaxIfMerge(s.version) AS version, max(s.country) AS country,
  max(s.browser) AS browser, max(s.os) AS os, max(s.device) AS device, argMinIfMerge(s.entry_page) AS entry_page,
  argMaxIfMerge(s.exit_page) AS exit_page, sum(s.events) AS events, sum(s.views) AS views, sum(s.actions) AS actions,
  sum(s.requests) AS requests, sum(s.failed) AS failed, sum(s.errors) AS errors, sum(s.unhandled) AS unhandled,
  sum(s.rage) AS rage, sum(s.dead) AS dead, sum(s.error_click) AS error_click,
  sum(s.errors) + sum(s.failed) + sum(s.rage) + sum(s.dead) + sum(s.error_click) AS trouble,
  max(s.lcp_worst) AS lcp_worst, if(empty(maxMap(s.inp_views)), max(s.inp_worst), arrayMax(arrayMap(v -> reinterpretAsFloat32(toUInt32(bitAnd(v, 4294967295))), mapValues(maxMap(s.inp_views))))) AS inp_worst, max(s.cls_worst) AS cls_worst,
  max(s.has_replay) AS has_replay, groupUniqArrayArray(s.err_groups) AS err_groups, groupUniqArrayArray(s.flags) AS flags
FROM sessions AS s WHERE environment_id = {environment:UUID} AND ${inDays({ from, to }, bind)} AND ${condition}
GROUP BY s.session_id HAVING min(s.started) >= ${begin} AND min(s.started) < ${end}`
}

/** The day before contains the real start of a session, the day after the rest of it. */
function inDays({ from, to }: { from: number; to: number }, bind: Bind): string {
  return `day >= ${bind(dateOf(Math.max(0, from - day)), 'Date')} AND day <= ${bind(dateOf(to + day), 'Date')}`
}

const attached: readonly FieldName[] = ['replay-length', 'kept', 'profile']

/** Whether the rows have the field. */
export const isOfSession = ({ field }: Chip) =>
  attached.includes(field) ||
  field === 'flag' ||
  field === 'issue' ||
  field in columns ||
  field in lists ||
  field in worstVitals

/** A condition on a row of `sessionRows`. */
export function renderSessionChip(chip: Chip, period: { from: number; to: number }, bind: Bind): string {
  const condition = renderPositive(chip, period, bind)
  return chip.isNegated ? `NOT (${condition})` : `(${condition})`
}

function renderPositive(chip: Chip, period: { from: number; to: number }, bind: Bind): string {
  const { field } = chip
  const beside = renderAttachedChip(chip, period, bind)
  if (beside !== undefined) return beside
  const list = renderLists(chip, bind)
  // A match on one day is a match of the session, so the lists need not be merged.
  if (list !== undefined) {
    return `session_id GLOBAL IN (SELECT session_id FROM sessions WHERE environment_id = {environment:UUID} AND ${inDays(period, bind)} AND (${list}))`
  }
  const vital = worstVitals[field]
  if (vital !== undefined) {
    return chip.operator === 'exists' ? `isNotNull(${vital})` : `ifNull(${compare([vital], chip, bind)}, 0)`
  }
  return compare(columns[field] ?? [], chip, bind)
}

function renderLists(chip: Chip, bind: Bind): string | undefined {
  const { field, operator, values } = chip
  if (field === 'flag') return renderFlag('flags', chip, bind)
  if (field === 'issue') {
    const issues = values.map((value) => `toUInt64(${BigInt(value)})`)
    return operator === 'exists' ? 'notEmpty(err_groups)' : anyOf('err_groups', issues)
  }
  return lists[field]?.map((column) => renderList(column, chip, bind)).join(' OR ')
}

const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10)
