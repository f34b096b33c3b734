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
