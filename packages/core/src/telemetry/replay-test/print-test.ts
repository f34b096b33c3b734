// biome-ignore-all lint/suspicious/noTemplateCurlyInString: source of a generated file

// The source of a Playwright test that repeats a session: as one would write it by hand, in one file.

import { type Failure, pathOf } from './failures.ts'
import { findClick } from './find-click.ts'
import { inComment, inPattern, literal, propertyName, valueLiteral } from './literal.ts'
import { helpers } from './print-helpers.ts'
import { isFragile, placeOf, printStep } from './print-steps.ts'
import type { Responses } from './responses.ts'
import type { Step } from './step-writer.ts'
import type { RecordedSteps } from './steps.ts'

/** A constant, because the package of the server depends on what its code seems to import. */
const runner = '@playwright/test'

export interface PinnedFlag {
  readonly key: string
  /** The variation that the session got. */
  readonly recorded: string
  readonly variations: readonly { readonly key: string; readonly value: unknown }[]
}

export interface RecordedTest {
  readonly session: string
  /** Of the session in the console. */
  readonly address: string
  /** `30 Nov 2026 11:40 UTC, Chrome 143, Linux, desktop`. */
  readonly description: string
  /** Of the site. */
  readonly origin: string
  readonly flags: readonly PinnedFlag[]
  /** The flag whose variation most likely made the difference. */
  readonly suspect: string | undefined
  readonly recorded: RecordedSteps
  readonly asserted: readonly Failure[]
  readonly responses: Responses
  /** Sentences about what the test does not reproduce. */
  readonly notReproduced: readonly string[]
}

/** Milliseconds that a failure may take after the last step: the machine that runs the test may be slower. */
const leastPatience = 2_000
const mostPatience = 20_000
/** Until the SDK sends the errors that the application reported. */
const reportPatience = 5_000

export function printTest(test: RecordedTest): string {
  const { steps, viewport, isTouch } = test.recorded
  const dead = new Set(
    test.asserted.flatMap((failure) => (failure.kind === 'click' ? (findClick(steps, failure) ?? []) : [])),
  )
  const isDead = (step: Step) => dead.has(step)
  const lines = steps.flatMap((step) => printStep(step, isDead(step), test.origin))
  const checks = test.asserted.flatMap(printCheck)
  const parts = {
    loads: steps.some((step) => step.do === 'arrive'),
    effects: steps.some(isDead),
    responses: test.responses.served.length > 0,
    reports: test.asserted.some((failure) => failure.kind === 'error' && failure.isHandled),
    errors:
      test.asserted.some((failure) => failure.kind === 'error' && !failure.isHandled) ||
      test.asserted.length === 0,
    requests: test.asserted.some(({ kind }) => kind === 'request'),
  }
  return `${[
    ...header(test),
    '',
    `import { expect, type Page${parts.responses ? ', type Request' : ''}, test } from '${runner}'`,
    '',
    'test.use({',
    `  baseURL: process.env.SITE_URL ?? ${literal(test.origin)},`,
    ...(viewport ? [`  viewport: { width: ${viewport.width}, height: ${viewport.height} },`] : []),
    ...(isTouch ? ['  hasTouch: true,'] : []),
    '  actionTimeout: 10_000,',
    '})',
    '',
    ...flagLines(test.flags),
    '',
    ...(parts.responses ? [...responseLines(test), ''] : []),
    `test(${literal(titleOf(test))}, async ({ page }) => {`,
    '  test.setTimeout(120_000)',
    ...annotations(test.notReproduced),
    '  await serveVariations(page)',
    ...(parts.responses ? ['  await serveResponses(page)'] : []),
    '  const seen = await watch(page)',
    '',
    '  try {',
    ...lines.map((line) => `    ${line}`),
    '  } catch (error) {',
    '    // Another variation may lack an element of the recorded page: then the steps from here on are left out.',
    '    if (isAsRecorded) throw error',
    '    report(`With other variations, the steps could be repeated only in part: ${error}`)',
    '  }',
    `  await page.waitForTimeout(${patienceOf(test)})`,
    '',
    ...(test.asserted.length > 0 ? checks : [`expect(seen.errors, 'uncaught errors').toEqual([])`]).map(
      (line) => `  ${line}`,
    ),
    '})',
    '',
    ...helpers(parts),
  ].join('\n')}\n`
}

function header(test: RecordedTest): string[] {
  const { session, address, description, notReproduced, recorded } = test
  const run = `npx playwright test session-${session.slice(0, 8)}.spec.ts`
  const other = otherVariation(test)
  const fragile = recorded.steps.filter(isFragile).length
  const missing = [
    ...notReproduced,
    ...(fragile > 0 ? [`The element of ${fragile} steps by more than its place in the page.`] : []),
  ]
  const lines = [
    `Repeats session ${session} of a user, as Telltale recorded it, and asserts what failed in it.`,
    description,
    ...(address ? [address] : []),
    '',
    'It fails while the failure is there:',
    `  ${run}`,
    ...(other ? ['With another variation:', `  TELLTALE_VARIATIONS=${other} ${run}`] : []),
    'At another address of the site:',
    `  SITE_URL=http://localhost:3000 ${run}`,
    '',
    'Not reproduced:',
    ...missing.map((sentence) => `- ${sentence}`),
  ]
  return lines.map((line) => `//${line.startsWith('  ') ? '   ' : ' '}${inComment(line)}`.trimEnd())
}

function otherVariation({ flags, suspect }: RecordedTest): string | undefined {
  const flag = flags.find(({ key }) => key === suspect)
  const other = flag?.variations.find(({ key }) => key !== flag.recorded)
  return flag && other && `${flag.key}=${other.key}`
}

const annotations = (sentences: readonly string[]) =>
  sentences.map((sentence) => `  report(${literal(sentence)})`)

function flagLines(flags: readonly PinnedFlag[]): string[] {
  return [
    '/** The values of each flag that the session evaluated, by variation. */',
    flags.length === 0 ? 'const values: Values = {}' : 'const values: Values = {',
    ...flags.map(({ key, variations }) => {
      const known = variations.map((one) => `${propertyName(one.key)}: ${valueLiteral(one.value)}`)
      return `  ${propertyName(key)}: { ${known.join(', ')} },`
    }),
    ...(flags.length === 0 ? [] : ['}']),
    '/** The variations that the session got. */',
    `const recorded: Variations = ${valueLiteral(Object.fromEntries(flags.map(({ key, recorded }) => [key, recorded])))}`,
    'const variations = { ...recorded, ...readVariations(process.env.TELLTALE_VARIATIONS) }',
    'const isAsRecorded = Object.keys(values).every((flag) => variations[flag] === recorded[flag])',
  ]
}

function responseLines({ origin, responses }: RecordedTest): string[] {
  return [
    '/** Responses that the recording has in full. The server gets all other requests. */',
    'const responses: Recorded[] = [',
    ...responses.served.map(({ method, url, parameters, body, status, mime, text }) => {
      const about = {
        method,
        url: placeOf(url, origin),
        parameters,
        ...(body !== undefined && { body }),
        status,
        mime,
        text,
      }
      return `  ${valueLiteral(about)},`
    }),
    ']',
  ]
}

function titleOf({ session, asserted }: RecordedTest): string {
  const [first] = asserted
  const what = first === undefined ? 'no uncaught error' : `no ${describe(first)}`
  return `${what.slice(0, 120)} (session ${session.slice(0, 8)})`
}

function describe(failure: Failure): string {
  if (failure.kind === 'error') return nameOfError(failure)
  if (failure.kind === 'request')
    return `${failure.method} ${pathOf(failure.url)} with ${statusText(failure.status)}`
  return failure.isRage ? 'rage click' : 'dead click'
}

const nameOfError = ({ type, message }: { type: string; message: string }) =>
  type ? `${type}: ${message}` : message
const statusText = (status: number) => (status === 0 ? 'no response' : `status ${status}`)

/** Clicks are asserted where they happen. */
function printCheck(failure: Failure): string[] {
  if (failure.kind === 'click') return []
  const said = literal(describe(failure).slice(0, 200))
  if (failure.kind === 'error') {
    const where = failure.isHandled ? 'reported' : 'errors'
    return checkOf(`seen.${where}.filter((error) => ${patternOf(failure)}.test(error))`, said)
  }
  const ending = failure.status === 0 ? 'failed' : String(failure.status)
  const text = `${failure.method} ${pathOf(failure.url)} ${ending}`
  const pattern = `/^${inPattern(text).replace(changing, '[^/]+')}$/`
  return checkOf(`seen.requests.filter((request) => ${pattern}.test(request))`, said)
}

const checkOf = (found: string, said: string) => [
  'expect.soft(',
  `  ${found},`,
  `  ${said},`,
  ').toEqual([])',
]

/** Parts of a path that are another one in each run: UUIDs and long numbers. */
const changing = /(?<=\/)(?:[\da-f]{8}-[\da-f-]{27}|\d{6,}|(?=[a-f]*\d)[\da-f]{16,})(?=\\\/| )/gi

const longestMessage = 160
/** What differs from run to run, or from build to build: placeholders of removed data, addresses, numbers, minified names. */
const varying =
  /\[(?:email|card)\]|\b[a-z][a-z\d+.-]*:\/\/\S+|\d+|\b[a-z_$]{1,2}(?=[.(]| is not| is undefined)/gi

function patternOf({ type, message }: { type: string; message: string }): string {
  const [line = ''] = message.split('\n', 1)
  const cut = line.slice(0, longestMessage)
  let pattern = type ? `${inPattern(type)}: ` : '(?:\\w+: )?'
  let from = 0
  for (const found of cut.matchAll(varying)) {
    const wild = /^\d/.test(found[0]) ? '\\d+' : /^[a-z_$]{1,2}$/i.test(found[0]) ? '[\\w$]+' : '.*'
    pattern += inPattern(cut.slice(from, found.index)) + wild
    from = found.index + found[0].length
  }
  return `/^${pattern}${inPattern(cut.slice(from))}/`
}

function patienceOf({ asserted, recorded }: RecordedTest): string {
  const lastStep = recorded.steps.at(-1)?.at ?? 0
  const lastFailure = Math.max(0, ...asserted.map(({ at }) => at))
  const isReported = asserted.some((failure) => failure.kind === 'error' && failure.isHandled)
  const wanted = 2 * Math.max(0, lastFailure - lastStep) + leastPatience + (isReported ? reportPatience : 0)
  const milliseconds = Math.ceil(Math.min(wanted, mostPatience) / 500) * 500
  return String(milliseconds).replace(/\B(?=(\d{3})+$)/, '_')
}
