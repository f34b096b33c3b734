import { readFileSync } from 'node:fs'

const shown = 8

/** The files of a report of Vitest or Playwright that took longest, as `name: 12 s`: where saving time pays. */
export function slowestOf(file, root) {
  let report
  try {
    report = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // A stage without a report, such as the build.
    return []
  }
  const spans = report.stats ? spansOfPlaywright(report) : spansOfVitest(report)
  return [...spans]
    .sort(([, one], [, other]) => other - one)
    .slice(0, shown)
    .map(([name, span]) => `${name.replace(`${root}/`, '')}: ${Math.round(span / 1_000)} s`)
}

function spansOfVitest({ testResults = [] }) {
  return testResults.map(({ name, startTime, endTime }) => [name, endTime - startTime])
}

function spansOfPlaywright({ suites = [] }) {
  return suites.map((suite) => [suite.file, spanOfSuite(suite)])
}

function spanOfSuite({ suites = [], specs = [] }) {
  const results = specs.flatMap(({ tests }) => tests.flatMap(({ results: its }) => its))
  const own = results.reduce((sum, { duration }) => sum + duration, 0)
  return suites.reduce((sum, inner) => sum + spanOfSuite(inner), own)
}
