// Measures the queries of every screen over the given number of events in one environment: each is repeated warm, one
// at a time, through the server's code. `npm run bench:query -- --events 1000000 --rounds 11`; with `--write` into
// bench/results.md.

import { parseArgs } from 'node:util'
import { Problem } from '@telltale/core/errors'
import { emptyFilter, parseFilter } from '@telltale/core/query/filter'
import { explore } from '../packages/server/src/monitoring/explore/explore.ts'
import { listFacets } from '../packages/server/src/monitoring/explore/list-facets.ts'
import { ask, type Question } from '../packages/server/src/monitoring/explore/question.ts'
import { findLifts } from '../packages/server/src/monitoring/issues/issue-lifts.ts'
import { countGroups, countParts } from '../packages/server/src/monitoring/issues/seen-errors.ts'
import { getOverview } from '../packages/server/src/monitoring/overview/get-overview.ts'
import { findNewErrors } from '../packages/server/src/monitoring/overview/queries.ts'
import { getPage } from '../packages/server/src/monitoring/pages/get-page.ts'
import {
  listPageBreakdown,
  listPageElements,
  listPageLongFrames,
  listPageResources,
} from '../packages/server/src/monitoring/pages/list-page-parts.ts'
import { listPages } from '../packages/server/src/monitoring/pages/list-pages.ts'
import { listMoments } from '../packages/server/src/monitoring/replays/list-moments.ts'
import { getRequest } from '../packages/server/src/monitoring/requests/get-request.ts'
import { listRequestBreakdown } from '../packages/server/src/monitoring/requests/list-request-breakdown.ts'
import { listRequests } from '../packages/server/src/monitoring/requests/list-requests.ts'
import { getSession } from '../packages/server/src/monitoring/sessions/get-session.ts'
import { getSessionSeries } from '../packages/server/src/monitoring/sessions/get-session-series.ts'
import { listSessionEvents } from '../packages/server/src/monitoring/sessions/list-session-events.ts'
import { listSessionFacets } from '../packages/server/src/monitoring/sessions/list-session-facets.ts'
import { listSessions } from '../packages/server/src/monitoring/sessions/list-sessions.ts'
import type { Telemetry } from '../packages/server/src/platform/engines/clickhouse/telemetry.ts'
import { day, end, environmentId, historyOptions, overHistory } from './intake/over-history.ts'
import { processorTime, type Store } from './intake/store.ts'

const { values: given } = parseArgs({
  options: {
    ...historyOptions,
    rounds: { type: 'string', default: '11' },
    /** Only queries whose name contains one of these, separated by commas. */
    only: { type: 'string', default: '' },
    /** Without a sample, however many events there are. */
    exact: { type: 'boolean', default: false },
  },
})
const days = 30
const issuesShown = 50
const narrow = 'flag:checkout=new browser:Chrome'
const exact = given.exact ? { exact: 'true' as const } : {}

/** The queries of one page of the list, each group as a separate issue. */
async function listErrors(question: Question): Promise<void> {
  const groups = await countGroups(question)
  const issues = groups
    .slice(0, issuesShown)
    .map(({ group }) => ({ id: group, groups: [group], sessions: 1 }))
  await Promise.all([countParts(question, { issues, parts: 24 }), findLifts(question, issues)])
}

interface EachOptions {
  name: string
  days: number
  filter?: string
  ask(question: Question): Promise<unknown>
}

async function measure({ telemetry }: Store, pid: () => number | undefined): Promise<string[]> {
  const lines: string[] = []
  const wanted = (await questions(telemetry)).filter(({ name }) =>
    given.only.split(',').some((part) => name.includes(part)),
  )
  for (const { name, days: span, filter, ask: answer } of wanted) {
    const question = openQuestion(telemetry, { span, filter })
    const times: number[] = []
    let processor = 0
    for (let round = -Math.min(2, Number(given.rounds)); round < Number(given.rounds); round++) {
      const [begun, used] = [performance.now(), await processorTime(pid())]
      const refused = await refusalOf(answer(question()))
      if (refused !== undefined) {
        lines.push(`| ${name} | ${span} d | ${refused} | | |`)
        break
      }
      if (round < 0) continue
      times.push(performance.now() - begun)
      processor += (await processorTime(pid())) - used
    }
    if (times.length === 0) {
      process.stderr.write(`${lines.at(-1)}\n`)
      continue
    }
    times.sort((left, right) => left - right)
    const at = (share: number) =>
      (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(0)
    lines.push(
      `| ${name} | ${span} d | ${at(0.5)} | ${at(0.95)} | ${(processor / times.length).toFixed(0)} |`,
    )
    process.stderr.write(`${lines.at(-1)}\n`)
  }
  return lines
}

/** The first sentence of a refusal; a query that exceeds a limit is a result, too. */
async function refusalOf(answer: Promise<unknown>): Promise<string | undefined> {
  try {
    await answer
    return undefined
  } catch (error) {
    if (error instanceof Problem && error.code === 'query-too-large') return error.message.split('.')[0]
    throw error
  }
}

/** A new one per round, because every request has its own. */
function openQuestion(telemetry: Telemetry, { span, filter }: { span: number; filter?: string | undefined }) {
  const parsed = filter === undefined ? undefined : parseFilter(filter)
  if (parsed?.ok === false) throw new Error(parsed.faults[0]?.message)
  const scope = { environmentId, timeZone: 'Europe/Berlin', from: end - span * day, to: end }
  return () => ask(telemetry, { ...scope, filter: parsed?.result ?? emptyFilter })
}

/** Without source maps, to measure only the query. */
const stackMapper = {
  map: async (_project: string, stacks: readonly unknown[]) => stacks.map(() => []),
}

async function questions(telemetry: Telemetry): Promise<EachOptions[]> {
  const now = new Date(end)
  const [session] = (await listSessions(openQuestion(telemetry, { span: 1 })(), { query: { limit: 1 }, now }))
    .items
  const id = session?.id ?? environmentId
  const group = { method: 'GET', host: 'shop.example', endpoint: '/api/cart' }
  return [
    ...each([1, 7, 30], { name: 'overview', ask: (question) => getOverview(question, exact) }),
    ...each([30], {
      name: 'overview, filtered',
      filter: narrow,
      ask: (question) => getOverview(question, exact),
    }),
    ...each([7, 30], { name: 'new errors', ask: (question) => findNewErrors(question) }),
    ...each([1, 7, 30], { name: 'error issues', ask: listErrors }),
    ...pageQuestions(),
    ...each([1, 7, 30], { name: 'requests', ask: (question) => listRequests(question, exact) }),
    ...each([7, 30], { name: 'a request', ask: (question) => getRequest(question, { ...exact, ...group }) }),
    ...each([30], {
      name: 'a request by variation',
      ask: (question) => listRequestBreakdown(question, { ...exact, ...group, by: 'flag:checkout' }),
    }),
    ...each([1, 7, 30], { name: 'sessions', ask: (question) => listSessions(question, { query: {}, now }) }),
    ...each([7, 30], {
      name: 'sessions by trouble, filtered',
      filter: `${narrow} errors:>0`,
      ask: (question) => listSessions(question, { query: { sort: 'trouble' }, now }),
    }),
    ...each([7], {
      name: 'sessions by what happened',
      filter: 'endpoint:/api/cart failed:true',
      ask: (question) => listSessions(question, { query: {}, now }),
    }),
    ...each([7], {
      name: 'sessions by a sequence',
      ask: (question) =>
        listSessions(question, { query: { sequence: 'kind:view page:/cart -> kind:error' }, now }),
    }),
    ...each([7, 30], {
      name: 'facets of sessions',
      ask: (question) =>
        listSessionFacets(question, {
          ...exact,
          fields: 'browser,device,country,flag:checkout,inp,errors,frustration',
        }),
    }),
    ...replayQuestions(now),
    ...each([7, 30], { name: 'sessions over time', ask: (question) => getSessionSeries(question, {}) }),
    ...each([1], { name: 'one session', ask: (question) => getSession(question, { id, now }) }),
    ...each([1], {
      name: 'events of one session',
      ask: (question) =>
        listSessionEvents({ stackMapper }, question, { id, projectId: '', query: { limit: 200 } }),
    }),
    ...each([1, 7, 30], {
      name: 'explore: events by kind',
      ask: (question) => explore(question, { ...exact, by: 'kind' }),
    }),
    ...each([7, 30], {
      name: 'explore: p75 LCP by page and variation',
      ask: (question) =>
        explore(question, { ...exact, measure: 'p75', field: 'lcp', by: 'page,flag:checkout' }),
    }),
    ...each([7, 30], {
      name: 'explore: people by browser',
      ask: (question) => explore(question, { ...exact, measure: 'users', by: 'browser' }),
    }),
    ...each([7, 30], {
      name: 'facets of events',
      ask: (question) =>
        listFacets(question, { ...exact, fields: 'kind,browser,device,country,page,version' }),
    }),
  ]
}

function pageQuestions(): EachOptions[] {
  return [
    ...each([1, 7, 30], { name: 'pages', ask: (question) => listPages(question, exact) }),
    ...each([30], {
      name: 'pages by LCP, filtered',
      filter: narrow,
      ask: (question) => listPages(question, { ...exact, sort: 'LCP' }),
    }),
    ...each([7, 30], {
      name: 'a page',
      ask: (question) => getPage(question, { ...exact, page: '/checkout' }),
    }),
    ...each([7, 30], {
      name: 'a page by variation',
      ask: (question) =>
        listPageBreakdown(question, { ...exact, page: '/checkout', by: 'flag:checkout', bins: 'LCP' }),
    }),
    ...each([30], {
      name: 'elements of a page',
      ask: (question) => listPageElements(question, { ...exact, page: '/checkout', vital: 'LCP' }),
    }),
    ...each([30], {
      name: 'resources of a page',
      ask: (question) => listPageResources(question, { ...exact, page: '/checkout' }),
    }),
    ...each([30], {
      name: 'long frames of a page',
      ask: (question) => listPageLongFrames(question, { ...exact, page: '/checkout' }),
    }),
  ]
}

function each(spans: number[], requested: Omit<EachOptions, 'days'>): EachOptions[] {
  return spans.map((span) => ({ ...requested, days: span }))
}

function replayQuestions(now: Date): EachOptions[] {
  return [
    ...each([7, 30], {
      name: 'sessions that are recorded',
      filter: 'replay-length:>60000',
      ask: (question) => listSessions(question, { query: {}, now }),
    }),
    ...each([7, 30], {
      name: 'replays of errors',
      ask: (question) => listMoments(question, { of: 'error' }),
    }),
    ...each([30], {
      name: 'replays of slow loads of a page',
      filter: 'page:/checkout lcp:*',
      ask: (question) => listMoments(question, { of: 'slow' }),
    }),
    ...each([30], {
      name: 'replays of a variation',
      filter: 'flag:checkout=new',
      ask: (question) => listMoments(question, { of: 'exposure' }),
    }),
    ...each([30], {
      name: 'replays of a page',
      filter: 'page:/checkout',
      ask: (question) => listMoments(question, {}),
    }),
  ]
}

await overHistory(
  { title: 'Questions of the screens', database: 'telltale_query', days, given },
  async ({ store, engine, count: made }) => {
    const lines = await measure(store, engine.pid)
    return [
      `${made} events over ${days} days in one environment; ${given.rounds} rounds after two to warm up, in milliseconds.`,
      '',
      '| question | period | median | p95 | processor time of the engine |',
      '|---|---|--:|--:|--:|',
      ...lines,
    ]
  },
)
