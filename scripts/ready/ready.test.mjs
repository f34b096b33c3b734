import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { countsOfReport, inWords, sum } from './counts.mjs'
import { failuresOf } from './failures.mjs'
import { withLock } from './lock.mjs'
import { refuseOldNode } from './node-version.mjs'
import { failedFilesOf, mergeReports } from './second-try.mjs'
import { hashFiles } from './stamp.mjs'

let folder

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'telltale-ready-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

test('an old Node is refused in one sentence, the oldest we support is not', () => {
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

test('two that want the lock at once hold it one after the other', async () => {
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

test('the counts of both test runners add up, and a stage that crashed counts as one failure', () => {
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

test('what failed, and what passed only when tried again, is told apart and by name', () => {
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

test('what passes when its file is tried again does not fail the run, and is said with its reason', () => {
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
