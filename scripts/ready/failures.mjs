import { readFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'

const shown = 40

/**
 * The tests in a report of Vitest or Playwright that failed, or passed only on retry: name and first lines of the
 * error. They are repeated at the end of the run, where they are easy to find.
 */
export function failuresOf(file) {
  let report
  try {
    report = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return []
  }
  return report.suites ? ofPlaywright(report.suites) : ofVitest(report.testResults ?? [])
}

function ofVitest(files) {
  return files.flatMap(({ name, message, assertionResults }) => {
    const tests = assertionResults
      .filter(({ failureMessages }) => failureMessages?.length > 0)
      .map(({ fullName, status, failureMessages }) => ({
        name: `${name} › ${fullName}`,
        flaky: status === 'passed',
        why: inShort(failureMessages[0]),
      }))
    return message && tests.length === 0 ? [{ name, flaky: false, why: inShort(message) }] : tests
  })
}

function ofPlaywright(suites) {
  return suites.flatMap(({ suites: inner = [], specs = [] }) => [
    ...ofPlaywright(inner),
    ...specs.flatMap(({ file, title, tests }) =>
      tests
        .filter(({ status }) => status === 'unexpected' || status === 'flaky')
        .map(({ status, results }) => ({
          name: `${file} › ${title}`,
          flaky: status === 'flaky',
          why: inShort(results.find(({ error }) => error)?.error.message ?? ''),
        })),
    ),
  ])
}

function inShort(message) {
  return stripVTControlCharacters(message).trim().split('\n').slice(0, shown).join('\n')
}
