// What the guard never does, whatever happens to it in whatever order.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canFollow, hasEnded } from '../states/rollout.ts'
import { isSplitWrong } from '../statistics/event-share.ts'
import { act, type PersonalAction } from './act.ts'
import { blindnessOf } from './blindness.ts'
import { lookAt } from './look.ts'
import { isMissingAccepted } from './missing-people.ts'
import { type Look, newRollout, type Rollout, type RolloutPlan, type Turn } from './rollout.ts'
import { evidence, gated, look, lopsided, plan, start } from './testing/some-rollout.ts'

const state = fc.constantFrom('collecting', 'watching', 'healthy', 'regressed', 'gone')
const usually = <Value>(value: Value, rarely: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 40, arbitrary: fc.constant(value) }, rarely)
const calmState = fc.oneof(
  { weight: 60, arbitrary: fc.constantFrom('healthy', 'healthy', 'watching') },
  state,
)
const count = fc.oneof(fc.nat(500), fc.constantFrom(0, Number.NaN, Number.POSITIVE_INFINITY, -1))

interface Seen {
  kind: 'look'
  later: number
  look: Omit<Look, 'now'>
}
interface Done {
  kind: 'act'
  action: PersonalAction
  by: string
  sees: 'now' | 'before'
}

const seen: fc.Arbitrary<Seen> = fc
  .record({
    later: usually(60_000, fc.constantFrom(10_000, 3_600_000, -90_000_000, 1e12, Number.NaN)),
    states: fc.record({ lcp: calmState, errors: calmState, orders: calmState, clicks: calmState }),
    flag: usually('on' as const, fc.constantFrom('off', 'archived')),
    hasEngine: usually(true, fc.boolean()),
    isFresh: usually(true, fc.boolean()),
    split: usually([], fc.constant(lopsided)),
    missing: usually([], fc.constant(lopsided)),
    units: usually({ treatment: 500, control: 900 }, fc.record({ treatment: count, control: count })),
    spoolLag: usually(0, fc.constantFrom(30_000, 90_000, Number.NaN)),
    heard: usually({ treatment: 40, control: 900 }, fc.record({ treatment: count, control: count })),
  })
  .map(({ later, states, flag, hasEngine, isFresh, split, missing, units, spoolLag, heard }) => ({
    kind: 'look' as const,
    later,
    look: {
      flag,
      signal: { ...look(0).signal, isFresh, spoolLag, heard },
      evidence: hasEngine
        ? evidence(states, { units, split: { exposures: split, heard: missing } })
        : undefined,
    },
  }))
const done: fc.Arbitrary<Done> = fc.record({
  kind: fc.constant('act'),
  action: fc.constantFrom(
    'pause',
    'resume',
    'advance',
    'approve',
    'finish',
    'cancel',
    'begin-anew',
    'roll-back',
  ),
  by: fc.constantFrom('ada', 'grace'),
  sees: usually('now', fc.constant('before')),
})
const plans = fc.constantFrom<RolloutPlan[]>(
  plan,
  gated,
  { ...plan, timeBox: 600_000, whenUndecided: 'ship', shippedBy: 'grace' },
  { ...plan, timeBox: 600_000, whenUndecided: 'revert' },
  { ...gated, timeBox: 600_000, metrics: plan.metrics.filter(({ role }) => role === 'watched') },
  { ...plan, timeBox: 600_000, metrics: plan.metrics.filter(({ role }) => role === 'watched') },
)

/** Short enough to see many stages. */
const quick = (of: RolloutPlan): RolloutPlan => ({
  ...of,
  stages: of.stages.map((stage) => ({ ...stage, minDuration: 120_000 })),
})

function expectLegal(before: Rollout, { rollout, decisions, flag }: Turn): void {
  expect(canFollow(before.state, rollout.state), `${before.state} → ${rollout.state}`).toBe(true)
  expect(rollout.turn - before.turn).toBe(decisions.length > 0 ? 1 : 0)
  expect(rollout.stage).toBeGreaterThanOrEqual(before.stage)
  expect(rollout.watched).toBeGreaterThanOrEqual(0)
  if (rollout.state !== 'completed') expect(rollout.stage - before.stage).toBeLessThanOrEqual(1)
  if (hasEnded(before.state)) expect([rollout, flag]).toEqual([before, undefined])
  if (rollout.state !== before.state) expect(decisions.length).toBeGreaterThan(0)
  // What reaches people has its line in the log.
  if (flag !== undefined) expect(decisions.length).toBeGreaterThan(0)
  if (rollout.state === 'rolled-back' && before.state !== 'rolled-back')
    expect(flag).toEqual({ kind: 'roll-back' })
  const hasBegunAnew = rollout.evidence !== before.evidence
  if (!hasBegunAnew) {
    expect(rollout.regressed).toEqual(expect.arrayContaining([...before.regressed]))
    if (before.splitWrong === 'split-wrong') expect(rollout.splitWrong).toBe('split-wrong')
    if (before.splitWrong !== undefined) expect(rollout.splitWrong).toBeDefined()
  }
}

const goesOn = ({ decisions }: Turn) =>
  decisions.some(({ action }) => action === 'advance' || action === 'complete')

function expectGrounds(of: RolloutPlan, before: Rollout, { seenLook, turn }: { seenLook: Look; turn: Turn }) {
  if (!goesOn(turn)) return
  expect(blindnessOf(seenLook)).toBeUndefined()
  expect(seenLook).toMatchObject({ flag: 'on', signal: { isFresh: true } })
  expect(isSplitWrong(seenLook.evidence?.split.exposures ?? [])).toBe(false)
  expect(turn.rollout.splitWrong).not.toBe('split-wrong')
  if (turn.rollout.splitWrong !== undefined) expect(isMissingAccepted(turn.rollout)).toBe(true)
  expect(before.state).not.toBe('paused')
  const required = of.metrics.filter(({ role }) => role === 'required')
  const undecided = required.filter(({ metric }) => {
    const found = seenLook.evidence?.findings.find((finding) => finding.metric === metric)?.state
    return found !== 'healthy' && !before.accepted.includes(metric)
  })
  const isShipped = turn.decisions.some(({ reason }) => reason === 'policy-ship')
  if (required.length === 0 && !isShipped) {
    const measured = seenLook.evidence?.findings.filter(({ state }) => state !== 'gone') ?? []
    expect(measured.length).toBeGreaterThan(0)
    expect(before.watched).toBeGreaterThan(0)
    expect(turn.decisions.map(({ reason }) => reason)).toContain('not-regressed')
  }
  if (!isShipped) expect(undecided).toEqual([])
  if (isShipped) expect([of.whenUndecided, of.shippedBy]).toEqual(['ship', 'grace'])
  for (const metric of turn.rollout.regressed) {
    const action = of.metrics.find((guarded) => guarded.metric === metric)?.onRegression
    expect(action === 'notify' || turn.rollout.accepted.includes(metric)).toBe(true)
  }
}

test('never advances without evidence or with a problem, keeps verdicts, and ends finally', () => {
  let onward = 0
  fc.assert(
    fc.property(
      plans,
      fc.array(fc.oneof({ weight: 6, arbitrary: seen }, done), { maxLength: 60 }),
      (of, steps) => {
        const used = quick(of)
        let now = start
        let rollout = newRollout()
        let before = rollout
        const begun = act(used, rollout, { action: 'start', by: 'ada', turn: 0, now })
        if ('rollout' in begun) rollout = begun.rollout
        for (const step of steps) {
          const last = rollout
          if (step.kind === 'look') {
            now += step.later
            const seenLook = { ...step.look, now }
            const turn = lookAt(used, rollout, seenLook)
            expectLegal(rollout, turn)
            expectGrounds(used, rollout, { seenLook, turn })
            onward += Number(goesOn(turn))
            rollout = turn.rollout
          } else {
            const { turn } = step.sees === 'now' ? rollout : before
            const result = act(used, rollout, { action: step.action, by: step.by, turn, now })
            if ('refused' in result) continue
            expectLegal(rollout, result)
            if (goesOn(result)) {
              expect(rollout.splitWrong).not.toBe('split-wrong')
              expect(rollout.lastLook?.isFresh).toBe(true)
              if (rollout.splitWrong !== undefined) {
                expect(isMissingAccepted(result.rollout)).toBe(true)
                expect(result.decisions[0]?.by).toBe(step.by)
              }
            }
            if (step.action === 'approve') expect(step.by).not.toBe(used.startedBy)
            rollout = result.rollout
          }
          before = last
        }
      },
    ),
    { numRuns: 600 },
  )
  // Otherwise nothing was tried.
  expect(onward).toBeGreaterThan(50)
})
