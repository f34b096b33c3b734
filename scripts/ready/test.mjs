import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { countsOfCheck, countsOfReport, inWords, none, sum } from './counts.mjs'
import { ensureDebian } from './debian.mjs'
import { startExternalPostgres } from './external-postgres.mjs'
import { failuresOf } from './failures.mjs'
import { run } from './run.mjs'
import { Refusal, say, seconds } from './say.mjs'
import { failedFilesOf, mergeReports } from './second-try.mjs'
import { slowestOf } from './slowest.mjs'

/**
 * The stages of an inner list run in parallel: the survival tests mostly wait, and types are checked on one processor
 * for longer than the rest is linted on the other.
 */
const selections = {
  all: ['build', ['checks', 'unit'], ['external', 'survival'], 'cluster', 'browser'],
  cluster: ['build', 'cluster'],
  external: ['build', 'external'],
  quick: ['build', ['checks', 'quick']],
  browser: ['build', 'browser'],
  survival: ['build', 'survival'],
  packages: ['build', 'packages'],
}

/** Each stage returns its counts; all of them run, even after a failure. */
const stages = {
  build: { title: 'build', run: build },
  checks: { title: 'types and lint', run: typesAndLint },
  unit: { title: 'unit and contract', run: unitAndContract },
  quick: { title: 'quick unit tests', run: quick },
  external: { title: 'external PostgreSQL', run: external },
  cluster: { title: 'cluster', run: cluster },
  browser: { title: 'browser', run: browser },
  survival: { title: 'survival', run: (its) => vitest(its, ['survival']) },
  packages: { title: 'packages from a registry', run: (its) => vitest(its, ['packages']) },
}

export async function test(root, selection = 'all') {
  const names = selections[selection]
  if (!names)
    throw new Refusal(`no such tests: ${selection}. There are ${Object.keys(selections).join(', ')}.`)

  const reports = mkdtempSync(join(tmpdir(), 'telltale-test-'))
  const results = []
  try {
    for (const together of names) {
      const run = (name) => runStage(stages[name], { root, report: join(reports, `${name}.json`) })
      results.push(...(await Promise.all([together].flat().map(run))))
    }
  } finally {
    rmSync(reports, { recursive: true, force: true })
  }
  return printSummary(results)
}

async function runStage(stage, its) {
  process.stdout.write(`\n── ${stage.title}\n`)
  const begun = performance.now()
  const counts = await stage.run(its)
  const took = seconds(begun)
  process.stdout.write(`── ${stage.title}: ${counts.failed > 0 ? 'failed' : 'passed'} in ${took}\n`)
  const slowest = slowestOf(its.report, its.root)
  return { title: stage.title, counts, took, slowest, failures: failuresOf(its.report) }
}

function printSummary(results) {
  const total = sum(results.map(({ counts }) => counts))
  process.stdout.write('\n')
  for (const { name, flaky, why } of results.flatMap(({ failures }) => failures))
    process.stdout.write(`${flaky ? 'passed when tried again' : 'failed'}: ${name}\n${why}\n\n`)
  for (const { title, slowest } of results.filter(({ slowest: its }) => its.length > 0))
    process.stdout.write(`slowest of ${title}: ${slowest.join(', ')}\n\n`)
  for (const { title, counts, took } of results) {
    process.stdout.write(
      `${title.padEnd(20)}${took.padStart(9)}   ${counts === none ? 'done' : inWords(counts)}\n`,
    )
  }
  process.stdout.write(`\n${inWords(total)}\n`)
  return total.failed > 0 ? 1 : 0
}

async function build({ root }) {
  try {
    await ensureBuilt(root)
    return none
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    say(error.message)
    return countsOfCheck(1)
  }
}

/** In parallel. Several checkers of types do much of the work twice: one takes half of the processor time. */
async function typesAndLint(its) {
  const types = check(its, 'tsc', ['--noEmit', '--singleThreaded'])
  return sum(await Promise.all([types, check(its, 'biome', ['check'])]))
}

async function check({ root }, tool, args) {
  const { code, output } = await run(join(root, 'node_modules/.bin', tool), args, { cwd: root, quiet: true })
  if (code !== 0) process.stdout.write(output)
  return countsOfCheck(code)
}

async function unitAndContract(its) {
  // Without nginx, the single contract test with a real proxy is reported as skipped.
  await ensureDebian('nginx-light', 'nginx')
  // Tests on an external server are a separate stage.
  const { TELLTALE_TEST_DATABASE_URL: _, ...env } = process.env
  return vitest(its, ['unit', 'pages'], { env })
}

/** Without those that `test/slow-tests.ts` names. */
function quick(its) {
  const { TELLTALE_TEST_DATABASE_URL: _, ...env } = process.env
  return vitest(its, ['unit', 'pages'], { env: { ...env, TELLTALE_TEST_QUICK: 'on' } })
}

/** On an external server. */
async function external(its) {
  const server = await startExternalPostgres()
  if (!server) {
    say('left out: no initdb and pg_ctl on the PATH, and no TELLTALE_TEST_DATABASE_URL')
    return none
  }
  try {
    const env = { ...process.env, TELLTALE_TEST_DATABASE_URL: server.url }
    return await vitest(its, ['unit'], { env, filters: findServerTests() })
  } finally {
    server.stop()
  }
}

/**
 * The tests that depend most on the database: transactions and their locks, notifications, leases and outboxes, many
 * rows, dumps. The rest of the server sends the same SQL to either database.
 */
const databaseTests = [
  'organisation/audit',
  'platform/backups',
  'release/change-requests',
  'notify/channels',
  'organisation/environments',
  'release/evaluations',
  'release/flags',
  'organisation/invitations',
  'organisation/keys',
  'release/overrides',
  'organisation/projects',
  'release/schedules',
  'release/segments',
  'organisation/tokens',
  'organisation/users',
]

function findServerTests() {
  const source = 'packages/server/src'
  const folders = databaseTests.map((name) => `${source}/${name}/`)
  // Beside them, a test asks every call of the telemetry store what a viewer gets: the same with either database.
  const identities = ['identities', 'identity-room'].map(
    (name) => `${source}/release/identities/${name}.test.ts`,
  )
  return [...folders, ...identities, `${source}/platform/engines/postgres/change.test.ts`]
}

/** Files with failures are retried once, in a separate process, because a busy machine is not a product bug. */
async function vitest(its, projects, { env = process.env, filters = [] } = {}) {
  const counts = await runVitest(its, projects, { env, filters })
  const failed = failedFilesOf(its.report)
  if (counts.failed === 0 || failed.length === 0 || failed.length > triedAgain) return counts

  say(`tried again: ${failed.join(', ')}`)
  const again = { root: its.root, report: `${its.report}.again.json` }
  await runVitest(again, projects, { env, filters: failed })
  return mergeReports(its.report, again.report)
}

/** More failed files than this are not caused by load. */
const triedAgain = 5

async function runVitest({ root, report }, projects, { env, filters }) {
  const args = [
    'run',
    '--passWithNoTests',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]
  for (const project of projects) args.push('--project', project)
  args.push(...filters)
  const { code } = await run(join(root, 'node_modules/.bin/vitest'), args, { cwd: root, env })
  return countsOfReport(report, code)
}

/** The telemetry store on three shards, which python3 starts from the engine's library. */
async function cluster(its) {
  const { code } = await run('python3', ['--version'], { quiet: true })
  if (code !== 0) {
    say('left out: no python3 on the PATH')
    return none
  }
  // Without HAProxy, the tests of several servers are reported as skipped.
  await ensureDebian('haproxy', 'haproxy')
  return vitest(its, ['cluster'])
}

async function browser({ root, report }) {
  const chromium =
    process.env.TELLTALE_CHROMIUM ||
    // Without windows, which takes less time.
    (await ensureDebian('chromium-headless-shell', 'chromium-headless-shell')) ||
    (await ensureDebian('chromium', 'chromium', 'chromium-browser', 'google-chrome'))
  if (!chromium) {
    say('the browser tests need Chromium: install it, or name its program in TELLTALE_CHROMIUM')
    return countsOfCheck(1)
  }
  const env = { ...process.env, TELLTALE_CHROMIUM: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: report }
  const { code } = await run(join(root, 'node_modules/.bin/playwright'), ['test'], { cwd: root, env })
  return countsOfReport(report, code)
}
