// One evaluation, everywhere: what Chromium computes is what Node computes.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { bucketingOf, positionOf } from '../../packages/core/src/evaluation/bucket.ts'
import { compileRuleSet } from '../../packages/core/src/evaluation/compile.ts'
import { evaluate } from '../../packages/core/src/evaluation/evaluate.ts'
import { bundleForPage } from './bundle.ts'

const core = '../../packages/core/src/evaluation'
const file = readFileSync(join(import.meta.dirname, core, 'cases.json'), 'utf8')

const runCases = `(text, { compileRuleSet, evaluate }) => {
  const { ruleSet, cases } = JSON.parse(text)
  const flags = ruleSet.flags.map(({ overrides, ...flag }) => ({
    ...flag,
    overrides: overrides && new Map(Object.entries(overrides)),
  }))
  const compiled = compileRuleSet({ segments: ruleSet.segments, flags })
  return cases.map(({ flag, context }) => JSON.stringify(evaluate(compiled, flag, context)))
}`

test('the evaluation cases and 100 000 positions are the same in Chromium as in Node', async ({ page }) => {
  await page.addScriptTag({
    content: await bundleForPage(`
      import { bucketingOf, positionOf } from '${core}/bucket.ts'
      import { compileRuleSet } from '${core}/compile.ts'
      import { evaluate } from '${core}/evaluate.ts'
      Object.assign(globalThis, { core: { bucketingOf, positionOf, compileRuleSet, evaluate } })
    `),
  })
  const inBrowser: unknown = await page.evaluate(`(${runCases})(${JSON.stringify(file)}, core)`)
  // biome-ignore lint/security/noGlobalEval: the very same text runs on both sides
  const inNode: unknown = (0, eval)(runCases)(file, { compileRuleSet, evaluate })
  expect(Array.isArray(inNode) && inNode.length).toBeGreaterThan(100)
  expect(inBrowser).toEqual(inNode)

  const keyOf = (index: number) => `käufer-${index}-😀`.slice(0, 8 + (index % 9))
  const bucketing = bucketingOf('salt')
  const here = Array.from({ length: 100_000 }, (_, index) => positionOf(bucketing, keyOf(index) + index))
  const there = await page.evaluate(`(() => {
    const keyOf = ${keyOf}
    const bucketing = core.bucketingOf('salt')
    return Array.from({ length: 100_000 }, (_, index) => core.positionOf(bucketing, keyOf(index) + index))
  })()`)
  expect(there).toEqual(here)
})
