// Sessions in which events matching several filters happened in order, with any events in between.

import { limits } from '@telltale/core/limits'
import { type Filter, parseSequence } from '@telltale/core/query/filter'
import { isLatestVital } from '../explore/latest-vitals.ts'
import { readParsed } from '../explore/open-question.ts'
import type { Question } from '../explore/question.ts'
import { renderEventChip, renderWord } from '../explore/render-filter.ts'

/** Conditions on sessions; empty without a sequence. */
export function renderSequence(question: Question, text: string | undefined): string[] {
  if (text === undefined) return []
  const { bind, from, to } = question
  const steps = readParsed(parseSequence(text), '?sequence').map((step) => renderStep(step, question))
  const pattern = steps.map((_, index) => `(?${index + 1})`).join('.*')
  const [begin, end] = [from, to + limits.monitoredSessionMaximum].map(
    (at) => `fromUnixTimestamp64Milli(${bind(at, 'Int64')})`,
  )
  // `sequenceMatch` needs at least two conditions.
  const found =
    steps.length === 1
      ? `countIf(${steps[0]}) > 0`
      : `sequenceMatch('${pattern}')(toUInt64(toUnixTimestamp64Milli(ts)), ${steps.join(', ')})`
  const inPeriod = [`ts >= ${begin}`, `ts < ${end}`]
  const latest = isLatestVital('environment_id = {environment:UUID}', ...inPeriod)
  const rows = question.rowsOf('events', ...inPeriod, latest, `(${steps.join(' OR ')})`)
  return [`session_id GLOBAL IN (SELECT session_id FROM ${rows} GROUP BY session_id HAVING ${found})`]
}

function renderStep({ chips, words }: Filter, question: Question): string {
  const found = [
    ...chips.map((chip) => renderEventChip(chip, question, question.bind)),
    ...words.map((word) => renderWord(word, question.bind)),
  ]
  return `(${found.join(' AND ')})`
}
