// Rules that apply to every query.

import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { emptyFilter, parseFilter } from '@telltale/core/query/filter'
import { expect, test } from 'vitest'
import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'
import { ask } from './question.ts'

const day = 86_400_000
const scope = { environmentId: 'env-1', timeZone: 'UTC', from: 10 * day, to: 12 * day, filter: emptyFilter }

function listen(answer: () => Promise<never[]> = async () => []) {
  const requested: {
    text: string
    values: Record<string, unknown> | undefined
    limit: number | undefined
  }[] = []
  const read: Telemetry['read'] = (text, { values, limit } = {}) => {
    requested.push({ text, values, limit })
    return answer()
  }
  return { telemetry: { read }, requested }
}

test('every statement has one environment, and a time limit', async () => {
  const { telemetry, requested } = listen()
  const parsed = parseFilter('name:Buy -name:Go flag:a=b errors:>1 length:<5 word')
  const question = ask(telemetry, { ...scope, filter: parsed.ok ? parsed.result : emptyFilter })
  await question.read(`SELECT count() FROM ${question.events("kind = 'view'")}`)
  await question.read(`SELECT count() FROM ${question.sessions()}`)
  await question.read(`SELECT count() FROM ${question.rowsOf('views')}`)
  for (const { text, values, limit } of requested) {
    expect(text).not.toMatch(/(?<!GLOBAL )(?<!GLOBAL NOT )\bIN \(SELECT/)
    expect(text).toContain('WHERE environment_id = {environment:UUID}')
    expect(values).toMatchObject({ environment: 'env-1' })
    expect(limit).toBe(limits.screenReadTimeout)
  }
})

test('a statement without the environment is rejected', async () => {
  const { telemetry, requested } = listen()
  const question = ask(telemetry, scope)
  const forgetful = [
    'SELECT count() FROM events',
    'SELECT count() FROM events WHERE 1',
    'SELECT 1 FROM sessions AS s GROUP BY session_id',
    'SELECT 1 FROM views FINAL',
    'SELECT 1 FROM telltale.unit_measures WHERE split = 1',
    `SELECT 1 FROM ${question.events()} AND session_id IN (SELECT session_id FROM events)`,
    `SELECT 1 FROM ${question.events()} UNION ALL SELECT 1 FROM\n events JOIN exposures ON 1`,
  ]
  for (const text of forgetful)
    await expect(question.read(text), text).rejects.toThrow('without an environment')
  expect(requested).toEqual([])
})

test('user input never becomes part of a statement', async () => {
  const { telemetry, requested } = listen()
  const sly = "x') OR 1=1 --"
  const parsed = parseFilter(
    ['page', 'user', 'name', 'flag:a', 'attr:b', 'error', 'entry-page']
      .flatMap((field) => {
        const sign = field.includes(':') ? '=' : ':'
        return [`${field}${sign}"${sly}"`, `${field}${sign}~"${sly}"`]
      })
      .concat(`flag:"${sly}"`, `attr:"${sly}"`, `"${sly}"`)
      .join(' '),
  )
  const filter = parsed.ok ? parsed.result : emptyFilter
  expect(filter.chips).toHaveLength(16)
  const question = ask(telemetry, { ...scope, filter })
  await question.read(`SELECT 1 FROM ${question.events()}`)
  await question.read(`SELECT 1 FROM ${question.sessions()}`)
  for (const { text, values } of requested) {
    expect(text).not.toContain('OR 1=1')
    expect(JSON.stringify(values)).toContain('OR 1=1')
  }
})

test('a query that is too large suggests a shorter period with the same end', async () => {
  const { telemetry } = listen(async () => {
    throw problem('query-too-large')
  })
  const shorterOf = (span: number) =>
    ask(telemetry, { ...scope, from: scope.to - span })
      .read('SELECT 1')
      .catch((error) => error.context.shorter)
  const to = new Date(scope.to).toISOString()
  expect(await shorterOf(11 * day)).toEqual({ from: new Date(scope.to - 7 * day).toISOString(), to })
  expect(await shorterOf(day)).toEqual({ from: new Date(scope.to - day / 4).toISOString(), to })
  expect(await shorterOf(1_000)).toBeUndefined()
})
