import { expect, test } from 'vitest'
import { isStableId, locate } from './locate.ts'
import { createPageModel } from './page-model.ts'
import { printLocator } from './print-steps.ts'
import { type Element, el, pageOf } from './testing/recorded-page.ts'

/** How the element with this id or text is found in a page of these elements. */
function find(name: string, ...body: Element[]): string {
  const page = pageOf(0, ...body)
  const model = createPageModel()
  model.apply(page.operation)
  const node = model.find(page.idOf(name))
  if (node === undefined) throw new Error('the page was not applied')
  const locator = locate(node)
  return printLocator(locator) + (locator.isFragile ? ' // fragile' : '')
}

test('role and name come first, then label, placeholder, test id and text', () => {
  expect(find('Pay now', el('button', {}, 'Pay now'))).toBe(`page.getByRole('button', { name: 'Pay now' })`)
  expect(find('go', el('a', { id: 'go', href: '/cart', 'aria-label': 'Your cart' }, '3'))).toBe(
    `page.getByRole('link', { name: 'Your cart' })`,
  )
  expect(find('f1', el('label', { for: 'f1' }, 'Street'), el('input', { id: 'f1' }))).toBe(
    `page.getByRole('textbox', { name: 'Street' })`,
  )
  expect(find('p', el('label', {}, 'PIN ', el('input', { id: 'p', type: 'password' })))).toBe(
    `page.getByLabel('PIN')`,
  )
  expect(find('q', el('input', { id: 'q', placeholder: 'Find a bike' }))).toBe(
    `page.getByPlaceholder('Find a bike')`,
  )
  expect(find('x1', el('div', { id: 'x1', 'data-testid': 'menu' }))).toBe(`page.getByTestId('menu')`)
  expect(find('Read more', el('span', {}, 'Read more'), el('p', {}, 'Other'))).toBe(
    `page.getByText('Read more')`,
  )
})

test('a number that changes with the data is left out of a name, unless it distinguishes', () => {
  const order = el('button', {}, 'Place order, €1,290')
  expect(find('Place order, €1,290', order)).toBe(`page.getByRole('button', { name: 'Place order' })`)
  const pictures = [el('button', {}, 'Picture 1'), el('button', {}, 'Picture 2')]
  expect(find('Picture 2', ...pictures)).toBe(`page.getByRole('button', { name: 'Picture 2' })`)
})

test('a name that is part of another one is compared exactly', () => {
  const buttons = [el('button', {}, 'Cart'), el('button', {}, 'Add to cart')]
  expect(find('Cart', ...buttons)).toBe(`page.getByRole('button', { name: 'Cart', exact: true })`)
})

test('spaces between elements depend on styles, so a name has no more than one of its pieces', () => {
  const card = el('a', { id: 'card', href: '/p/1' }, el('strong', {}, 'Courier 8'), el('em', {}, '€1,290'))
  expect(find('card', card)).toBe(`page.getByRole('link', { name: 'Courier' })`)
})

test('equal elements are found within what distinguishes them', () => {
  const remove = (id: string) => el('button', { id }, 'Remove')
  const rows = el('ul', {}, el('li', {}, 'Bell', remove('r:1')), el('li', {}, 'Helmet', remove('r:2')))
  expect(find('r:2', rows)).toBe(
    `page.getByRole('listitem').filter({ hasText: 'Helmet' }).getByRole('button', { name: 'Remove' })`,
  )
  const links = [
    el('nav', { 'aria-label': 'Categories' }, el('a', { id: 'a:1', href: '/c' }, 'City')),
    el('main', {}, el('a', { id: 'a:2', href: '/c' }, 'City')),
  ]
  expect(find('a:1', ...links)).toBe(
    `page.getByRole('navigation', { name: 'Categories' }).getByRole('link', { name: 'City' })`,
  )
})

test('what is hidden without a style sheet is not counted', () => {
  const buttons = [el('div', { hidden: '' }, el('button', {}, 'Save')), el('button', { id: 'shown' }, 'Save')]
  expect(find('shown', ...buttons)).toBe(`page.getByRole('button', { name: 'Save' })`)
})

test('masked text finds nothing: a stable id does, and the place is the last resort', () => {
  expect(find('pay-now', el('button', { id: 'pay-now' }, 'xxx xxx'))).toBe(`page.locator('#pay-now')`)
  const parts = el('div', { id: 'parts' }, el('button', {}, 'xxxx'), el('button', { id: ':r1:' }, '****'))
  expect(find(':r1:', parts)).toBe(`page.locator('#parts > button:nth-of-type(2)') // fragile`)
  const search = el('search', {}, el('input', { id: ':r2:' }), el('button', { id: ':r3:' }, 'xxxx'))
  expect(find(':r2:', search, parts)).toBe(`page.getByRole('textbox')`)
  expect(find(':r3:', search, parts)).toBe(`page.getByRole('search').getByRole('button')`)
  expect(find('email-0', el('input', { id: 'email-0', name: 'email' }), el('input', { id: 'b' }))).toBe(
    `page.locator('#email-0')`,
  )
})

test('ids of frameworks are not stable', () => {
  expect(['checkout', 'pay-now', 'field_2'].filter(isStableId)).toHaveLength(3)
  const made = [':r1:', 'radix-4', 'input-18273', 'a1b2c3d4', 'headlessui-menu-1', '1st', "a'b"]
  expect(made.filter(isStableId)).toEqual([])
})

test('an element in a frame is found through the frame, one in a shadow tree directly', () => {
  const page = pageOf(0, el('iframe', { id: 'payment' }))
  const model = createPageModel()
  model.apply(page.operation)
  const inner = pageOf(0, el('button', {}, 'Pay')).operation.document
  model.apply({ at: 1, do: 'document', id: page.idOf('payment'), document: shifted(inner, 100) })
  const button = model.find(100 + 4)
  expect(button && printLocator(locate(button))).toBe(
    `page.frameLocator('#payment').getByRole('button', { name: 'Pay' })`,
  )
})

function shifted(document: ReturnType<typeof pageOf>['operation']['document'], by: number): typeof document {
  return JSON.parse(JSON.stringify(document), (name, value) =>
    name === 'id' && typeof value === 'number' ? value + by : value,
  )
}
