import { expect, test } from 'vitest'
import type { ReplayOperation } from '../replay/operations.ts'
import { printStep } from './print-steps.ts'
import type { RecordedView } from './step-writer.ts'
import { createStepReader } from './steps.ts'
import { click, el, pageOf, press, type } from './testing/recorded-page.ts'

const origin = 'https://shop.example'
const load = (at: number, path: string): RecordedView => ({ at, url: origin + path, by: 'load' })
const route = (at: number, path: string): RecordedView => ({ at, url: origin + path, by: 'route' })

function read(views: RecordedView[], ...operations: (ReplayOperation | ReplayOperation[])[]) {
  const reader = createStepReader(views, 50)
  for (const operation of operations.flat()) reader.take(operation, operation.at)
  const { steps, ...rest } = reader.end()
  return { ...rest, lines: steps.flatMap((step) => printStep(step, false, origin)) }
}

const shop = pageOf(
  10,
  el(
    'form',
    {},
    el('input', { id: 'q', 'aria-label': 'Search' }),
    el('button', { id: 'go', type: 'submit' }, 'Find'),
  ),
  el('label', { id: 'van' }, 'Our van', el('input', { id: 'v', type: 'radio' })),
  el('label', { id: 'news' }, 'News', el('input', { id: 'n', type: 'checkbox' })),
  el('label', {}, 'Password', el('input', { id: 'pw', type: 'password' })),
  el(
    'select',
    { id: 'size', 'aria-label': 'Size' },
    el('option', { id: 's' }, 'Small'),
    el('option', { id: 'l' }, 'Large'),
  ),
  el('a', { id: 'cart', href: '/cart' }, 'Cart'),
  el('input', { id: 'upload', type: 'file' }),
)
const id = shop.idOf

test('a session opens its first page, and what is typed is one step', () => {
  const { lines, viewport } = read(
    [load(0, '/demo?campaign')],
    shop.operation,
    click(100, id('q')),
    type(110, id('q'), 'b', 'be', 'bell'),
    click(500, id('go')),
  )
  expect(viewport).toEqual({ width: 1280, height: 800 })
  expect(lines).toEqual([
    `await page.goto('/demo')`,
    `await page.getByRole('textbox', { name: 'Search' }).fill('bell')`,
    `await page.getByRole('button', { name: 'Find' }).click()`,
  ])
})

test('a click that no pointer made is the Enter key in the field', () => {
  const { lines } = read(
    [load(0, '/')],
    shop.operation,
    click(100, id('q')),
    type(110, id('q'), 'xxxx xx'),
    press(500, id('go')),
  )
  expect(lines.slice(1)).toEqual([
    '// Masked in the recording: only the length of this text is known.',
    `await page.getByRole('textbox', { name: 'Search' }).fill('xxxx xx')`,
    `await page.getByRole('textbox', { name: 'Search' }).press('Enter')`,
  ])
})

test('a form that is sent without a button ends with the Enter key, a search while typing does not', () => {
  const typed = [...click(100, id('q')), ...type(110, id('q'), 'bell')]
  const sent = read([load(0, '/'), route(1_400, '/search?q')], shop.operation, typed)
  expect(sent.lines.at(-1)).toBe(`await page.getByRole('textbox', { name: 'Search' }).press('Enter')`)
  const live = read([load(0, '/search'), route(1_400, '/search?q')], shop.operation, typed)
  expect(live.lines.at(-1)).toBe(`await page.getByRole('textbox', { name: 'Search' }).fill('bell')`)
})

test('a click on a label is one step, although the browser clicks its field as well', () => {
  const { lines } = read(
    [load(0, '/')],
    shop.operation,
    click(100, id('van')),
    press(101, id('v')),
    click(900, id('n')),
    { at: 901, do: 'state', id: id('n'), state: { checked: true } },
  )
  expect(lines.slice(1)).toEqual([
    `await page.getByText('Our van').click()`,
    `await page.getByRole('checkbox', { name: 'News' }).check()`,
  ])
})

test('clicks of one gesture are one step, slower ones are several', () => {
  const { lines } = read(
    [load(0, '/')],
    shop.operation,
    [...click(100, id('cart')), ...click(250, id('cart')), ...click(400, id('cart'))],
    click(2_000, id('cart')),
    press(3_000, id('cart'), 'menu'),
  )
  expect(lines.slice(1)).toEqual([
    `await page.getByRole('link', { name: 'Cart' }).click({ clickCount: 3 })`,
    `await page.getByRole('link', { name: 'Cart' }).click()`,
    `await page.getByRole('link', { name: 'Cart' }).click({ button: 'right' })`,
  ])
})

test('an option is chosen by its text; a masked one by its place, which is said', () => {
  const chosen = (text: string): ReplayOperation[] => [
    { at: 80, do: 'text', id: id('l') + 1, text },
    ...click(100, id('size')),
    { at: 300, do: 'state', id: id('l'), state: { checked: true } },
  ]
  expect(read([load(0, '/')], shop.operation, chosen('Large')).lines.slice(1)).toEqual([
    `await page.getByRole('combobox', { name: 'Size' }).selectOption({ label: 'Large' })`,
  ])
  expect(read([load(0, '/')], shop.operation, chosen('xxxxx')).lines.slice(1)).toEqual([
    '// Which option was chosen is masked.',
    `await page.getByRole('combobox', { name: 'Size' }).selectOption({ index: 1 })`,
  ])
})

test('a password is never recorded, so another text is typed; a file is left out and reported', () => {
  const { lines, notRepeated } = read(
    [load(0, '/')],
    shop.operation,
    click(100, id('pw')),
    { at: 101, do: 'focus', id: id('pw') },
    click(900, id('upload')),
  )
  expect(lines).toContain(`await page.getByLabel('Password').fill('xxxxxxxx')`)
  expect([...notRepeated]).toEqual(['file'])
})

test('pages: loaded by a step, opened by the user, and back', () => {
  const { lines } = read(
    [
      load(0, '/'),
      load(1_400, '/cart'),
      load(30_000, '/sale'),
      route(31_000, '/sale/2'),
      route(60_000, '/sale'),
    ],
    shop.operation,
    click(100, id('cart')),
    { ...shop.operation, at: 1_450 },
  )
  expect(lines).toEqual([
    `await page.goto('/')`,
    `await page.getByRole('link', { name: 'Cart' }).click()`,
    `await page.waitForURL(isAt('/cart'))`,
    `await page.goto('/sale')`,
    'await page.goBack()',
  ])
})

test('a page that changed its address before the recording began is opened there', () => {
  const { lines } = read([load(0, '/'), route(3_000, '/cart')], { ...shop.operation, at: 5_000 })
  expect(lines).toEqual([`await page.goto('/cart')`])
})

test('what is pressed before the batch with its element is written is found in it', () => {
  const added = {
    kind: 'element',
    id: 900,
    tag: 'button',
    attributes: { 'aria-label': 'Undo' },
    children: [],
  } as const
  const insert: ReplayOperation = { at: 400, do: 'insert', parent: id('cart'), before: null, nodes: [added] }
  const { lines } = read([load(0, '/')], shop.operation, click(300, 900), insert)
  expect(lines.at(-1)).toBe(`await page.getByRole('button', { name: 'Undo' }).click()`)
})

test('scrolling is a step where the page adds something because of it', () => {
  const scroll = (at: number): ReplayOperation => ({
    at,
    do: 'state',
    id: 1,
    state: { scroll: { x: 0, y: 900 } },
  })
  const more: ReplayOperation = { at: 700, do: 'insert', parent: id('cart'), before: null, nodes: [] }
  expect(read([load(0, '/')], shop.operation, scroll(500), more).lines).toContain(
    'await page.mouse.wheel(0, 900)',
  )
  expect(read([load(0, '/')], shop.operation, scroll(500)).lines).toHaveLength(1)
})
