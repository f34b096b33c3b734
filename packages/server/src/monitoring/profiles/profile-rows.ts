// The rows of profiles for a question: its period, a page, and its filter. Fields that profiles do not have are
// matched through their sessions: profiles of sessions with a matching event.

import type { Chip } from '@telltale/core/query/filter'
import type { FieldName } from '@telltale/core/query/filter-fields'
import { compare, renderFlag } from '../explore/conditions.ts'
import type { Question } from '../explore/question.ts'
import { renderEventChip, renderWord } from '../explore/render-filter.ts'

export interface Narrowed {
  page?: string | undefined
  session?: string | undefined
  view?: string | undefined
}

/** Which profiles are read, and the probability of a usual one. */
export interface Profiled extends Narrowed {
  usual: number
}

const columns: Partial<Record<FieldName, string>> = {
  page: 'page',
  version: 'version',
  browser: 'browser',
  device: 'device',
  session: 'session_id',
  view: 'view_id',
}

/** For FROM. */
export function profileRows(question: Question, narrowed: Narrowed, ...more: string[]): string {
  const { bind, from, to, filter } = question
  const { page, session, view } = narrowed
  const [begin, end] = [from, to].map((at) => `fromUnixTimestamp64Milli(${bind(at, 'Int64')})`)
  const inPeriod = `ts >= ${begin} AND ts < ${end}`
  return question.rowsOf(
    'profile_rows',
    `day >= toDate(${begin}) AND day <= toDate(${end}) AND ${inPeriod}`,
    ...(page === undefined ? [] : [`page = ${bind(page, 'String')}`]),
    ...(session === undefined ? [] : [`session_id = ${bind(session, 'UUID')}`]),
    ...(view === undefined ? [] : [`view_id = ${bind(view, 'UUID')}`]),
    ...filter.chips.map((chip) => renderChip(question, chip, inPeriod)),
    ...filter.words.map((word) => inSessions(question, inPeriod, renderWord(word, bind))),
    ...more,
  )
}

/**
 * The same rows with `share`, the number of usual profiles that each represents. A profile that was more likely than usual counts
 * less, so that sums are as if all had been profiled alike. Rows of earlier versions have no probability and count once.
 */
export function weighedProfileRows(
  question: Question,
  { usual, ...narrowed }: Profiled,
  ...more: string[]
): string {
  const { bind } = question
  const share = `if(inclusion > 0, ${bind(usual, 'Float64')} / inclusion, 1)`
  return `(SELECT *, toFloat64(${share}) AS share FROM ${profileRows(question, narrowed, ...more)})`
}

/**
 * The probability of a usual profile: with it, the shares of all profiles sum to their number. 1 if none has a
 * probability.
 */
export async function readUsualInclusion(question: Question, narrowed: Narrowed): Promise<number> {
  const [row] = await question.read<{ usual: number | null }>(
    `SELECT if(count() = 0, NULL, count() / sum(1 / chance)) AS usual
    FROM (SELECT profile_id, max(toFloat64(inclusion)) AS chance FROM ${profileRows(question, narrowed, 'inclusion > 0')} GROUP BY profile_id)`,
  )
  return row?.usual ?? 1
}

function renderChip(question: Question, chip: Chip, inPeriod: string): string {
  const condition = renderPositive(question, { ...chip, isNegated: false }, inPeriod)
  return chip.isNegated ? `NOT (${condition})` : `(${condition})`
}

function renderPositive(question: Question, chip: Chip, inPeriod: string): string {
  const { bind } = question
  if (chip.field === 'flag') return renderFlag('flags', chip, bind)
  const column = columns[chip.field]
  if (column !== undefined) return compare([column], chip, bind)
  return inSessions(question, inPeriod, renderEventChip(chip, question, bind))
}

function inSessions(question: Question, inPeriod: string, condition: string): string {
  return `session_id GLOBAL IN (SELECT session_id FROM ${question.rowsOf('events', inPeriod, condition)})`
}
