// Measures funnels, retention and paths over the given number of events in one environment: each is repeated warm, one
// at a time, through the server's code. `npm run bench:funnels -- --events 10000000 --rounds 21`; with `--write` into
// bench/results.md.

import { parseArgs } from 'node:util'
import { emptyFilter } from '@telltale/core/query/filter'
import { ask, type Question } from '../packages/server/src/monitoring/explore/question.ts'
import { listFunnelSessions } from '../packages/server/src/monitoring/funnels/list-funnel-sessions.ts'
import { measureFunnel } from '../packages/server/src/monitoring/funnels/measure-funnel.ts'
import { measurePaths } from '../packages/server/src/monitoring/funnels/measure-paths.ts'
import { measureRetention } from '../packages/server/src/monitoring/funnels/measure-retention.ts'
import { day, end, environmentId, historyOptions, overHistory } from './intake/over-history.ts'
import type { Store } from './intake/store.ts'

const { values: given } = parseArgs({
  options: {
    ...historyOptions,
    rounds: { type: 'string', default: '21' },
  },
})
const days = 56
const now = new Date(end)
const steps = [
  'kind:view page:/',
  'kind:view page:/bikes/:id',
  'kind:action',
  'kind:view page:/cart',
  'kind:view page:/checkout',
].join(' -> ')

const questions: readonly { name: string; answer(question: Question): Promise<unknown> }[] = [
  { name: 'a funnel of 5 steps', answer: (question) => measureFunnel(question, { steps }) },
  {
    name: 'the same per session',
    answer: (question) => measureFunnel(question, { steps, unit: 'session' }),
  },
  {
    name: 'the same by variation',
    answer: (question) => measureFunnel(question, { steps, by: 'flag:checkout' }),
  },
  {
    name: 'the sessions of a loss',
    answer: (question) => listFunnelSessions(question, { query: { steps, step: 4 }, now }),
  },
  {
    name: 'retention of 8 weeks',
    answer: (question) => measureRetention(question, { query: { step: 'week' }, now }),
  },
  {
    name: 'the same by variation',
    answer: (question) => measureRetention(question, { query: { step: 'week', by: 'flag:checkout' }, now }),
  },
  {
    name: 'paths after a page',
    answer: (question) => measurePaths(question, { start: 'kind:view page:/cart' }),
  },
]

await overHistory(
  { title: 'Funnels, retention and paths', database: 'telltale_funnels', days, given },
  async ({ store, count }) => {
    const lines: string[] = []
    for (const question of questions) lines.push(await measure(store, question))
    return [
      `${count} events over ${days} days in one environment, all of them in the period; ${given.rounds} rounds after two to warm up, in milliseconds.`,
      '',
      '| question | median | p95 |',
      '|---|--:|--:|',
      ...lines,
    ]
  },
)

async function measure({ telemetry }: Store, { name, answer }: (typeof questions)[number]): Promise<string> {
  const scope = { environmentId, timeZone: 'Europe/Berlin', from: end - days * day, to: end }
  const times: number[] = []
  for (let round = -2; round < Number(given.rounds); round++) {
    const begun = performance.now()
    await answer(ask(telemetry, { ...scope, filter: emptyFilter }))
    if (round >= 0) times.push(performance.now() - begun)
  }
  times.sort((left, right) => left - right)
  const at = (share: number) =>
    (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(0)
  const line = `| ${name} | ${at(0.5)} | ${at(0.95)} |`
  process.stderr.write(`${line}\n`)
  return line
}
