// Steps as lines of a Playwright test.

import { originOf, pathOf } from './failures.ts'
import { literal } from './literal.ts'
import type { Locator, LocatorPart } from './locate.ts'
import type { Step } from './step-writer.ts'

export function printLocator({ parts }: Locator): string {
  return `page${parts.map(printPart).join('')}`
}

function printPart(part: LocatorPart): string {
  switch (part.by) {
    case 'role': {
      const named = part.name === undefined ? [] : [`name: ${literal(part.name)}`]
      const options = [...named, ...(part.exact ? ['exact: true'] : [])]
      return `.getByRole(${roleLiteral(part.role)}${options.length > 0 ? `, { ${options.join(', ')} }` : ''})`
    }
    case 'label':
      return `.getByLabel(${literal(part.text)})`
    case 'placeholder':
      return `.getByPlaceholder(${literal(part.text)})`
    case 'text':
      return `.getByText(${literal(part.text)})`
    case 'test-id':
      return `.getByTestId(${literal(part.id)})`
    case 'css':
      return `.locator(${literal(part.selector)})`
    case 'with-text':
      return `.filter({ hasText: ${literal(part.text)} })`
    case 'frame':
      return `.frameLocator(${literal(part.selector)})`
  }
}

/** A page may write any text into the attribute, and Playwright's types know the roles of the standard. */
const roleLiteral = (role: string) => (/^[a-z]+$/.test(role) ? `'${role}'` : `${literal(role)} as 'button'`)

/** One line, or several with a comment. `origin`: of the site. */
export function printStep(step: Step, isDead: boolean, origin: string): string[] {
  switch (step.do) {
    case 'open':
      return [`await page.goto(${literal(placeOf(step.url, origin) + parametersOf(step.url))})`]
    case 'arrive':
      return [`await page.waitForURL(isAt(${literal(placeOf(step.url, origin))}))`]
    case 'back':
      return ['await page.goBack()']
    case 'scroll':
      return [`await page.mouse.wheel(0, ${Math.max(0, Math.round(step.y))})`]
    default:
      return printOn(step, isDead)
  }
}

function printOn(step: Extract<Step, { on: Locator }>, isDead: boolean): string[] {
  const found = printLocator(step.on)
  const place = step.on.isFragile ? ['// Found by its place: a change of the page can break this.'] : []
  switch (step.do) {
    case 'fill': {
      const masked = step.isMasked
        ? ['// Masked in the recording: only the length of this text is known.']
        : []
      return [...place, ...masked, `await ${found}.fill(${literal(step.text)})`]
    }
    case 'choose':
      return step.label === undefined
        ? [...place, '// Which option was chosen is masked.', `await ${found}.selectOption({ index: 1 })`]
        : [...place, `await ${found}.selectOption({ label: ${literal(step.label)} })`]
    case 'check': {
      const act = `${found}.${step.isChecked ? 'check' : 'uncheck'}()`
      return [...place, ...(isDead ? expectEffect(act, found) : [`await ${act}`])]
    }
    case 'press':
      return [...place, `await ${found}.press('${step.key}')`]
    case 'click': {
      const options = [
        ...(step.isRight ? [`button: 'right'`] : []),
        ...(step.count > 1 ? [`clickCount: ${Math.min(step.count, 20)}`] : []),
      ]
      const act = `${found}.click(${options.length > 0 ? `{ ${options.join(', ')} }` : ''})`
      return [...place, ...(isDead ? expectEffect(act, found) : [`await ${act}`])]
    }
  }
}

const expectEffect = (act: string, found: string) => [
  'expect.soft(',
  `  await hasEffect(page, () => ${act}),`,
  `  ${literal(`a click on ${found.slice('page.'.length)} had no effect`)},`,
  ').toBe(true)',
]

/** Relative to the site; with its origin where it is another one. */
export const placeOf = (url: string, origin: string) =>
  originOf(url) === origin ? pathOf(url) : originOf(url) + pathOf(url)

/** The query, where its values were recorded, and a fragment that is a route. */
function parametersOf(url: string): string {
  const [address = '', fragment = ''] = url.split(/#(.*)/s, 2)
  const query = address.split('?', 2)[1] ?? ''
  const isKnown = query !== '' && query.split('&').every((pair) => /.=./.test(pair))
  return (isKnown ? `?${query}` : '') + (/^!?\//.test(fragment) ? `#${fragment}` : '')
}

export const isFragile = (step: Step): boolean => 'on' in step && step.on.isFragile
