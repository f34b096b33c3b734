// One evaluation, everywhere: what Chromium computes is what Node computes.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import type { Condition } from '../../packages/core/src/contract/conditions.ts'
import { bucketingOf, positionOf } from '../../packages/core/src/evaluation/bucket.ts'
import { compileRuleSet } from '../../packages/core/src/evaluation/compile.ts'
import { evaluate } from '../../packages/core/src/evaluation/evaluate.ts'
import { compileGroup } from '../../packages/core/src/evaluation/match.ts'
import { bundleForPage } from './bundle.ts'

const core = '../../packages/core/src/evaluation'
const file = readFileSync(join(import.meta.dirname, core, 'cases.json'), 'utf8')

interface Cases {
  ruleSet: Parameters<typeof compileRuleSet>[0] & { flags: { overrides?: Record<string, string> }[] }
  cases: { flag: string; context: unknown }[]
  conditions: { condition: Condition; context: Record<string, unknown> }[]
}

const own = { bucketingOf, positionOf, compileGroup, compileRuleSet, evaluate }

/** Runs on both sides: what it needs is handed in. */
function runCases(text: string, core: typeof own): unknown[] {
  const { ruleSet, cases, conditions }: Cases = JSON.parse(text)
  const flags = ruleSet.flags.map(({ overrides, ...flag }) => ({
    ...flag,
    overrides: overrides && new Map(Object.entries(overrides)),
  }))
  const compiled = core.compileRuleSet({ segments: ruleSet.segments, flags })
  return [
    ...cases.map(({ flag, context }) => JSON.stringify(core.evaluate(compiled, flag, context))),
    ...conditions.map(({ condition, context }) =>
      core.compileGroup({ match: 'all', of: [condition] })(context, compiled, undefined),
    ),
  ]
}

function drawPositions(core: typeof own): number[] {
  const keyOf = (index: number) => `käufer-${index}-😀`.slice(0, 8 + (index % 9)) + index
  const bucketing = core.bucketingOf('salt')
  return Array.from({ length: 100_000 }, (_, index) => core.positionOf(bucketing, keyOf(index)))
}

test('the evaluation cases and 100,000 positions are the same in Chromium and Node', async ({ page }) => {
  await page.addScriptTag({
    content: await bundleForPage(`
      import type { Condition } from '../../packages/core/src/contract/conditions.ts'
import { bucketingOf, positionOf } from '${core}/bucket.ts'
      import { compileRuleSet } from '${core}/compile.ts'
      import { evaluate } from '${core}/evaluate.ts'
      import { compileGroup } from '${core}/match.ts'
      Object.assign(globalThis, { core: { bucketingOf, positionOf, compileGroup, compileRuleSet, evaluate } })
    `),
  })
  const there = await page.evaluate(`(${runCases})(${JSON.stringify(file)}, core)`)
  const here = runCases(file, own)
  expect(here.length).toBeGreaterThan(200)
  expect(there).toEqual(here)
  expect(await page.evaluate(`(${drawPositions})(core)`)).toEqual(drawPositions(own))
})
