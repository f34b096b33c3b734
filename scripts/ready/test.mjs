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

/** What stands in one list goes at once: who kills servers waits for most of the time, and leaves a processor to others. */
const selections = {
  all: ['build', 'checks', 'unit', ['external', 'survival'], 'browser'],
  external: ['build', 'external'],
  quick: ['build', 'checks', 'unit'],
  browser: ['build', 'browser'],
  survival: ['build', 'survival'],
}

/** Each stage gives its counts; all of them run, whatever the one before found. */
const stages = {
  build: { title: 'build', run: build },
  checks: { title: 'types and lint', run: typesAndLint },
  unit: { title: 'unit and contract', run: unitAndContract },
  external: { title: 'external PostgreSQL', run: external },
  browser: { title: 'browser', run: browser },
  survival: { title: 'survival', run: (its) => vitest(its, ['survival']) },
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
  return { title: stage.title, counts, took, failures: failuresOf(its.report) }
}

function printSummary(results) {
  const total = sum(results.map(({ counts }) => counts))
  process.stdout.write('\n')
  for (const { name, flaky, why } of results.flatMap(({ failures }) => failures))
    process.stdout.write(`${flaky ? 'passed when tried again' : 'failed'}: ${name}\n${why}\n\n`)
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

/** Both at once: each of them leaves a processor to the other for most of its time. */
async function typesAndLint(its) {
  return sum(await Promise.all([check(its, 'tsc', ['--noEmit']), check(its, 'biome', ['check'])]))
}

async function check({ root }, tool, args) {
  const { code, output } = await run(join(root, 'node_modules/.bin', tool), args, { cwd: root, quiet: true })
  if (code !== 0) process.stdout.write(output)
  return countsOfCheck(code)
}

async function unitAndContract(its) {
  // Without nginx the one contract test that needs a real proxy says that it was skipped.
  await ensureDebian('nginx-light', 'nginx')
  // An external server has a stage of its own.
  const { TELLTALE_TEST_DATABASE_URL: _, ...env } = process.env
  return vitest(its, ['unit', 'pages', 'contract'], { env })
}

/** On a server that is not ours. */
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
 * What leans on the database most: transactions and their locks, announcements, leases and outboxes, many rows, dumps. Whatever
 * else the server does asks any database in the same words.
 */
const databaseTests = [
  'organisation/audit',
  'platform/backups',
  'release/change-requests',
  'notify/channels',
  'organisation/environments',
  'release/evaluations',
  'release/flags',
  'release/identities',
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
  return [...databaseTests.map((name) => `${source}/${name}/`), `${source}/engines/postgres/change.test.ts`]
}

/** Files that failed are tried once more, in a process of their own: a busy machine is not a fault of the product. */
async function vitest(its, projects, { env = process.env, filters = [] } = {}) {
  const counts = await runVitest(its, projects, { env, filters })
  const failed = failedFilesOf(its.report)
  if (counts.failed === 0 || failed.length === 0 || failed.length > triedAgain) return counts

  say(`tried again: ${failed.join(', ')}`)
  const again = { root: its.root, report: `${its.report}.again.json` }
  await runVitest(again, projects, { env, filters: failed })
  return mergeReports(its.report, again.report)
}

/** More files than these fail for a reason. */
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

async function browser({ root, report }) {
  const chromium =
    process.env.TELLTALE_CHROMIUM ||
    (await ensureDebian('chromium', 'chromium', 'chromium-browser', 'google-chrome'))
  if (!chromium) {
    say('the browser tests need Chromium: install it, or name its program in TELLTALE_CHROMIUM')
    return countsOfCheck(1)
  }
  const env = { ...process.env, TELLTALE_CHROMIUM: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: report }
  const { code } = await run(join(root, 'node_modules/.bin/playwright'), ['test'], { cwd: root, env })
  return countsOfReport(report, code)
}
