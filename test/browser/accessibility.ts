import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const runOnlyOf = {
  everything: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
  colours: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
  // Beside the success criteria: for people who move by headings, landmarks and headers, or who speak what they see.
  structure: {
    type: 'rule',
    values: ['region', 'heading-order', 'empty-table-header', 'label-content-name-mismatch'],
  },
}

const contrastLeast = 4.5
const targetLeast = 24

/**
 * What can be told about a screen without judgement: what axe finds serious, names, landmarks, ids, sizes of targets,
 * contrast of text and no scrolling sideways.
 */
export async function expectAccessible(
  page: Page,
  requested: ExpectAccessibleOptions = 'everything',
): Promise<void> {
  // What is dimmed while new content is on its way is not what people read.
  await expect(page.locator('.contents[aria-busy="true"]')).toHaveCount(0)
  // Colours on their way from one to the other are neither. The live dot goes on for ever.
  await page.evaluate(() =>
    Promise.all(
      globalThis.document
        .getAnimations()
        .filter((one) => one.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        .map((one) => one.finished.catch(() => undefined)),
    ),
  )
  // A chart that is as wide as its panel is drawn again after the panel has become narrower.
  await expect.poll(() => page.evaluate(findFaults, { contrastLeast, targetLeast })).toEqual([])
  expect(await runAxe(page, requested)).toEqual([])
}

/** The same screen as before in its other theme: what axe asks of its structure was answered. */
type ExpectAccessibleOptions = 'everything' | 'colours' | 'structure'

const looks = [
  { colorScheme: 'light', width: 1440 },
  { colorScheme: 'dark', width: 390 },
] as const

/** The screen that is open, in both themes and both widths, without opening it again. */
export async function expectAccessibleInThemes(page: Page): Promise<void> {
  const before = page.viewportSize()
  for (const { colorScheme, width } of looks) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    await expectAccessible(page)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  if (before) await page.setViewportSize(before)
}

/** The same screen in both themes at the width it has. */
export async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page, 'colours')
  await page.emulateMedia({ colorScheme: 'light' })
  await expectAccessible(page)
}

/** Headings, landmarks, table headers and names of controls. */
export async function expectStructured(page: Page): Promise<void> {
  expect(await runAxe(page, 'structure')).toEqual([])
}

async function runAxe(page: Page, requested: ExpectAccessibleOptions): Promise<string[]> {
  // Half a megabyte: once for each document.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe)
  return page.evaluate(
    async ({ runOnly, rules, isStrict }) => {
      const engine: unknown = Reflect.get(globalThis, 'axe')
      const run: unknown =
        typeof engine === 'object' && engine !== null ? Reflect.get(engine, 'run') : undefined
      if (typeof run !== 'function') return ['axe is not there']
      const { violations } = await run(globalThis.document, {
        runOnly,
        rules,
        resultTypes: ['violations'],
      })
      return violations
        .filter(({ impact }: { impact: string }) => isStrict || impact === 'serious' || impact === 'critical')
        .map(
          ({ id, nodes }: { id: string; nodes: { html: string }[] }) =>
            `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
        )
    },
    {
      runOnly: runOnlyOf[requested],
      // Its slowest rule, and every text is measured against a stricter contrast before.
      rules: requested === 'everything' ? { 'color-contrast': { enabled: false } } : {},
      isStrict: requested === 'structure',
    },
  )
}

/** Runs in the page: nothing from outside is in its reach. */
function findFaults(least: { contrastLeast: number; targetLeast: number }): string[] {
  const document = globalThis.document
  const faults: string[] = []
  const isShown = (element: Element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  const describeElement = (element: Element) => element.outerHTML.slice(0, 120)

  function nameOf(element: Element): string {
    const byIds = (element.getAttribute('aria-labelledby') ?? '').split(/\s+/).filter(Boolean)
    const labels = 'labels' in element && element.labels instanceof NodeList ? [...element.labels] : []
    return [
      element.getAttribute('aria-label'),
      ...byIds.map((id) => document.getElementById(id)?.textContent),
      ...labels.map((label) => label.textContent),
      element.getAttribute('title'),
      element.matches('a, button, [role]') ? element.textContent : '',
    ]
      .join('')
      .trim()
  }

  const controls =
    'a[href], button, input:not([type=hidden]), select, textarea, [role=button], [role=img], [role=dialog]'
  for (const element of document.querySelectorAll(controls)) {
    if (isShown(element) && nameOf(element) === '') faults.push(`no name: ${describeElement(element)}`)
  }
  for (const [selector, count] of [
    ['h1', 1],
    ['main', 1],
  ] as const) {
    const found = [...document.querySelectorAll(selector)].filter(isShown).length
    if (found !== count) faults.push(`${found} of ${selector}`)
  }
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
  for (const id of new Set(ids.filter((id, index) => ids.indexOf(id) !== index))) faults.push(`twice: #${id}`)
  if (document.documentElement.scrollWidth > globalThis.innerWidth) faults.push('scrolls sideways')

  for (const element of document.querySelectorAll('button, [role=menuitem], [role=tab], select')) {
    const { width, height } = element.getBoundingClientRect()
    const after = getComputedStyle(element, '::after')
    const reach = after.position === 'absolute' ? -2 * Number.parseFloat(after.top) || 0 : 0
    if (isShown(element) && Math.min(width, height) + reach < least.targetLeast) {
      faults.push(`smaller than ${least.targetLeast}: ${describeElement(element)}`)
    }
  }

  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  type Rgba = [number, number, number, number]
  const colours = new Map<string, Rgba>()
  function rgba(color: string): Rgba {
    const known = colours.get(color)
    if (known || !canvas) return known ?? [0, 0, 0, 1]
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = color
    canvas.fillRect(0, 0, 1, 1)
    const [r = 0, g = 0, b = 0, a = 0] = canvas.getImageData(0, 0, 1, 1).data
    const found: Rgba = [r, g, b, a / 255]
    colours.set(color, found)
    return found
  }
  const backgrounds = new Map<Element, Rgba>()
  function backgroundOf(element: Element | null): Rgba {
    if (element === null) return [255, 255, 255, 1]
    const known = backgrounds.get(element)
    if (known) return known
    const own = rgba(getComputedStyle(element).backgroundColor)
    const found = own[3] === 1 ? own : backgroundOf(element.parentElement)
    backgrounds.set(element, found)
    return found
  }
  function luminance([r, g, b]: readonly number[]): number {
    const [R, G, B] = [r, g, b].map((value = 0) => {
      const part = value / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * (R ?? 0) + 0.7152 * (G ?? 0) + 0.0722 * (B ?? 0)
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement
    if (!element || !node.textContent?.trim() || !isShown(element)) continue
    if (element.closest('[disabled], [aria-disabled=true], script, style, noscript, [aria-hidden=true], svg'))
      continue
    const text = luminance(rgba(getComputedStyle(element).color))
    const behind = luminance(backgroundOf(element))
    const ratio = (Math.max(text, behind) + 0.05) / (Math.min(text, behind) + 0.05)
    if (ratio < least.contrastLeast) faults.push(`contrast ${ratio.toFixed(2)}: ${describeElement(element)}`)
  }
  return faults
}
