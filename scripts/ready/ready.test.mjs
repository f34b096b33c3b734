import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { countsOfReport, inWords, sum } from './counts.mjs'
import { enginePackage, ensureEngine } from './ensure-engine.mjs'
import { failuresOf } from './failures.mjs'
import { linkCommand } from './link-command.mjs'
import { withLock } from './lock.mjs'
import { refuseOldNode } from './node-version.mjs'
import { failedFilesOf, mergeReports } from './second-try.mjs'
import { slowestOf } from './slowest.mjs'
import { hashFiles } from './stamp.mjs'

let folder

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'telltale-ready-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

test('an old Node is rejected in one sentence, the oldest supported one is not', () => {
  expect(() => refuseOldNode('20.18.1')).toThrow('needs Node 20.19 or newer, this is 20.18.1')
  expect(() => refuseOldNode('18.20.0')).toThrow('needs Node')
  expect(() => refuseOldNode('20.19.0')).not.toThrow()
  expect(() => refuseOldNode('24.0.0')).not.toThrow()
})

test('a stamp changes with a source, and not with a test or a build', () => {
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, 'src/a.ts'), 'one')
  const before = hashFiles(folder, ['src', 'missing.json'])

  mkdirSync(join(folder, 'src/dist'))
  writeFileSync(join(folder, 'src/dist/a.js'), 'built')
  writeFileSync(join(folder, 'src/a.test.ts'), 'tested')
  expect(hashFiles(folder, ['src', 'missing.json'])).toBe(before)

  writeFileSync(join(folder, 'src/a.ts'), 'three')
  expect(hashFiles(folder, ['src', 'missing.json'])).not.toBe(before)
})

test('two processes that need the lock get it one after the other', async () => {
  const lock = join(folder, 'lock')
  const happened = []
  const work = async () => {
    happened.push('begin')
    await pause(50)
    happened.push('end')
  }
  await Promise.all([withLock(lock, work), withLock(lock, work)])
  expect(happened).toEqual(['begin', 'end', 'begin', 'end'])
  expect(existsSync(lock)).toBe(false)
})

test('the lock of a dead process is taken over, and so is one that is no longer renewed', async () => {
  const lock = join(folder, 'lock')
  mkdirSync(lock)
  writeFileSync(join(lock, 'owner'), '999999999')
  expect(await withLock(lock, async () => 'worked')).toBe('worked')

  mkdirSync(lock)
  writeFileSync(join(lock, 'owner'), String(process.pid))
  const longAgo = new Date(Date.now() - 60_000)
  utimesSync(lock, longAgo, longAgo)
  expect(await withLock(lock, async () => 'worked')).toBe('worked')
})

test('counts of both test runners add up, and a crashed stage counts as one failure', () => {
  const vitest = join(folder, 'vitest.json')
  const playwright = join(folder, 'playwright.json')
  writeFileSync(vitest, JSON.stringify({ numPassedTests: 7, numFailedTests: 0, numPendingTests: 1 }))
  writeFileSync(playwright, JSON.stringify({ stats: { expected: 3, unexpected: 2, flaky: 0, skipped: 0 } }))

  expect(inWords(sum([countsOfReport(vitest, 0), countsOfReport(playwright, 1)]))).toBe(
    '10 passed, 2 failed, 1 skipped',
  )
  expect(inWords(countsOfReport(vitest, 1))).toBe('7 passed, 1 failed, 1 skipped')
  expect(inWords(countsOfReport(join(folder, 'none.json'), 1))).toBe('0 passed, 1 failed')
})

test('failed and flaky tests are listed separately, by name', () => {
  const vitest = join(folder, 'vitest.json')
  const assertionResults = [
    { fullName: 'good', status: 'passed', failureMessages: [] },
    { fullName: 'moody', status: 'passed', failureMessages: ['\u001b[31mlate\u001b[39m'] },
    { fullName: 'bad', status: 'failed', failureMessages: ['wrong'] },
  ]
  const testResults = [
    { name: 'a.test.ts', assertionResults },
    { name: 'b.test.ts', message: 'no such module', assertionResults: [] },
  ]
  writeFileSync(vitest, JSON.stringify({ testResults }))
  expect(failuresOf(vitest)).toEqual([
    { name: 'a.test.ts › moody', flaky: true, why: 'late' },
    { name: 'a.test.ts › bad', flaky: false, why: 'wrong' },
    { name: 'b.test.ts', flaky: false, why: 'no such module' },
  ])

  const playwright = join(folder, 'playwright.json')
  const tests = [{ status: 'unexpected', results: [{ error: { message: 'blank' } }] }]
  const suites = [{ suites: [{ specs: [{ file: 'page.spec.ts', title: 'shows', tests }] }] }]
  writeFileSync(playwright, JSON.stringify({ suites }))
  expect(failuresOf(playwright)).toEqual([{ name: 'page.spec.ts › shows', flaky: false, why: 'blank' }])
})

test('a test that passes when its file is retried does not fail the run, and is reported with its reason', () => {
  const result = (name, tests) => ({
    name,
    status: tests.some(([, why]) => why) ? 'failed' : 'passed',
    message: '',
    assertionResults: tests.map(([fullName, why]) => ({
      fullName,
      status: why ? 'failed' : 'passed',
      failureMessages: why ? [why] : [],
    })),
  })
  const write = (file, testResults) => writeFileSync(join(folder, file), JSON.stringify({ testResults }))
  const [first, again] = [join(folder, 'first.json'), join(folder, 'again.json')]
  write('first.json', [
    result('steady', [['one', '']]),
    result('busy', [
      ['two', 'too slow'],
      ['three', ''],
    ]),
    result('wrong', [['four', 'not equal']]),
  ])
  expect(failedFilesOf(first)).toEqual(['busy', 'wrong'])

  write('again.json', [
    result('busy', [
      ['two', ''],
      ['three', ''],
    ]),
    result('wrong', [['four', 'not equal']]),
  ])
  expect(mergeReports(first, again)).toEqual({ passed: 3, failed: 1, skipped: 0 })
  expect(failuresOf(first)).toEqual([
    { name: 'busy › two', flaky: true, why: 'too slow' },
    { name: 'wrong › four', flaky: false, why: 'not equal' },
  ])
})

const product = fileURLToPath(new URL('../..', import.meta.url))

/** The command of a checkout: versioned files only, no build output. */
function cloneCommand() {
  const tracked = execFileSync('git', ['ls-files', 'packages/cli', 'scripts/ready'], {
    cwd: product,
    encoding: 'utf8',
  })
  for (const file of tracked.split('\n').filter(Boolean)) {
    if (existsSync(join(product, file))) cpSync(join(product, file), join(folder, file), { recursive: true })
  }
}

const npxTelltale = (...args) =>
  spawnSync('npx', ['--no-install', 'telltale', ...args], { cwd: folder, encoding: 'utf8' })

test('npx telltale works in a prepared clone, and reports what is missing in one that was not built', () => {
  cloneCommand()
  // The states npm leaves: first without a link, then with a dangling one.
  linkCommand(folder)
  const early = npxTelltale('--version')
  expect(early.stderr).toContain('Run "npm start" or "npm run build" first.')
  expect(early.status).toBe(1)

  mkdirSync(join(folder, 'packages/cli/dist'), { recursive: true })
  writeFileSync(
    join(folder, 'packages/cli/dist/telltale.js'),
    "console.log('telltale', process.argv.slice(2).join(' '))",
  )
  rmSync(join(folder, 'node_modules/.bin/telltale'))
  symlinkSync('../../packages/cli/dist/gone.js', join(folder, 'node_modules/.bin/telltale'))
  linkCommand(folder)
  linkCommand(folder)
  expect(npxTelltale('back-up', '--out', 'x').stdout.trim()).toBe('telltale back-up --out x')
})

test('the file that npm links as the command is under version control', () => {
  const { bin } = JSON.parse(
    execFileSync('git', ['show', ':packages/cli/package.json'], { cwd: product, encoding: 'utf8' }),
  )
  const file = `packages/cli/${bin.telltale}`
  expect(execFileSync('git', ['ls-files', file], { cwd: product, encoding: 'utf8' }).trim()).toBe(file)
})

const engines = {
  '@chdb/lib-darwin-arm64': '1.0.0',
  '@chdb/lib-linux-x64-gnu': '1.0.0',
  '@chdb/lib-linux-arm64-gnu': '1.0.0',
}

test('each platform has its engine package, and some have none', () => {
  expect(enginePackage({ platform: 'darwin', arch: 'arm64', isGlibc: false }, engines)?.name).toBe(
    '@chdb/lib-darwin-arm64',
  )
  expect(enginePackage({ platform: 'linux', arch: 'arm64', isGlibc: true }, engines)?.name).toBe(
    '@chdb/lib-linux-arm64-gnu',
  )
  expect(enginePackage({ platform: 'linux', arch: 'x64', isGlibc: false }, engines)).toBeUndefined()
  expect(enginePackage({ platform: 'win32', arch: 'x64', isGlibc: false }, engines)).toBeUndefined()
})

test('a missing engine is installed once, and its absence in the registry does not stop the start', async () => {
  mkdirSync(join(folder, 'node_modules/chdb'), { recursive: true })
  mkdirSync(join(folder, 'packages/server'), { recursive: true })
  writeFileSync(join(folder, 'packages/server/package.json'), '{}')
  writeFileSync(
    join(folder, 'node_modules/chdb/package.json'),
    JSON.stringify({ name: 'chdb', version: '1.0.0', optionalDependencies: engines }),
  )
  const asked = []
  const install = async (_root, spec) => {
    asked.push(spec)
    return false
  }
  const machine = { platform: 'darwin', arch: 'arm64', isGlibc: false }
  await ensureEngine(folder, { machine, install })
  await ensureEngine(folder, { machine, install })
  await ensureEngine(folder, { machine: { platform: 'win32', arch: 'x64', isGlibc: false }, install })
  expect(asked).toEqual(['@chdb/lib-darwin-arm64@1.0.0'])
})

test('the slowest files of both test runners are named, nested suites of Playwright included', () => {
  const write = (name, report) => {
    const file = join(folder, name)
    writeFileSync(file, JSON.stringify(report))
    return file
  }
  const spec = (...durations) => ({ tests: [{ results: durations.map((duration) => ({ duration })) }] })
  const vitest = {
    testResults: [
      { name: '/root/a.test.ts', startTime: 500, endTime: 2_600 },
      { name: '/root/b.test.ts', startTime: 0, endTime: 9_000 },
    ],
  }
  const playwright = {
    stats: {},
    suites: [{ file: 'c.spec.ts', specs: [spec(4_000)], suites: [{ specs: [spec(2_000, 1_000)] }] }],
  }
  expect(slowestOf(write('vitest.json', vitest), '/root')).toEqual(['b.test.ts: 9 s', 'a.test.ts: 2 s'])
  expect(slowestOf(write('playwright.json', playwright), '/root')).toEqual(['c.spec.ts: 7 s'])
  expect(slowestOf(join(folder, 'none.json'), '/root')).toEqual([])
})
