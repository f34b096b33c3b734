import { readFileSync } from 'node:fs'

const one = { passed: 1, failed: 0, skipped: 0 }
export const none = { passed: 0, failed: 0, skipped: 0 }

export function countsOfCheck(code) {
  return code === 0 ? one : { ...none, failed: 1 }
}

/** Reads a report of Vitest or Playwright; a stage with a non-zero exit code never counts as passed. */
export function countsOfReport(file, code) {
  const counts = readReport(file)
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}

function readReport(file) {
  let report
  try {
    report = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return none
  }
  return report.stats ? countsOfPlaywright(report.stats) : countsOfVitest(report)
}

function countsOfVitest({ numPassedTests, numFailedTests, numPendingTests, numTodoTests = 0 }) {
  return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests }
}

function countsOfPlaywright({ expected, unexpected, flaky, skipped }) {
  return { passed: expected + flaky, failed: unexpected, skipped }
}

export function sum(list) {
  return list.reduce(
    (total, { passed, failed, skipped }) => ({
      passed: total.passed + passed,
      failed: total.failed + failed,
      skipped: total.skipped + skipped,
    }),
    none,
  )
}

export function inWords({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
