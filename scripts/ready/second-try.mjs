import { readFileSync, writeFileSync } from 'node:fs'
import { countsOfReport } from './counts.mjs'

/** Absolute paths of the files with failures in a Vitest report. */
export function failedFilesOf(file) {
  return read(file).testResults.flatMap(({ name, status }) => (status === 'failed' ? [name] : []))
}

/**
 * Replaces results of the first run with those of the retry and recounts. A test that passed on retry keeps its first
 * error, which is listed at the end of the run.
 */
export function mergeReports(file, againFile) {
  const first = read(file)
  const again = new Map(read(againFile).testResults.map((result) => [result.name, result]))
  const testResults = first.testResults.map((result) => {
    const second = again.get(result.name)
    return second ? withReasons(second, result) : result
  })
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const count = (...wanted) => tests.filter(({ status }) => wanted.includes(status)).length
  const brokenFiles = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some(({ status: its }) => its === 'failed'),
  )
  const numFailedTests = count('failed') + brokenFiles.length
  const merged = {
    numPassedTests: count('passed'),
    numFailedTests,
    numPendingTests: count('pending', 'skipped', 'disabled'),
    numTodoTests: count('todo'),
    testResults,
  }
  writeFileSync(file, JSON.stringify(merged))
  return countsOfReport(file, numFailedTests > 0 ? 1 : 0)
}

function withReasons(second, first) {
  const reasons = new Map(
    first.assertionResults.flatMap(({ fullName, failureMessages }) =>
      failureMessages?.length > 0 ? [[fullName, failureMessages]] : [],
    ),
  )
  const assertionResults = second.assertionResults.map((test) => {
    const failureMessages = test.status === 'passed' ? reasons.get(test.fullName) : test.failureMessages
    return { ...test, failureMessages: failureMessages ?? [] }
  })
  return { ...second, assertionResults }
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return { testResults: [] }
  }
}
