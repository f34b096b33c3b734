import type { Evidence } from '@telltale/core/states/telltale'
import { describe, expect, test } from 'vitest'
import { telltaleShape, telltaleSizes } from './telltale-shape.ts'

const limit = 0.05
const healthy: Evidence = { est: -0.01, lo: -0.03, hi: 0.01, limit }
const slack: Evidence = { est: 0.012, lo: -0.04, hi: 0.08, limit }
const watching: Evidence = { est: 0.031, lo: 0.006, hi: 0.058, limit }
const regressed: Evidence = { est: 0.074, lo: 0.052, hi: 0.095, limit }

/** The corners of a path, in order. */
function points(path: string): { x: number; y: number }[] {
  return [...path.matchAll(/(-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) }))
}

describe('the ribbon', () => {
  test('spans the interval exactly, with 37 points on each side', () => {
    const { ribbon, mast, gate } = telltaleShape(slack, 'md')
    const corners = points(ribbon?.path ?? '')
    expect(corners).toHaveLength(74)

    // One limit is the distance from mast to gate.
    const perLimit = gate - mast
    const xs = corners.map(({ x }) => x)
    expect(Math.min(...xs)).toBeCloseTo(mast + (slack.lo / limit) * perLimit, 0)
    expect(Math.max(...xs)).toBeCloseTo(mast + (slack.hi / limit) * perLimit, 0)
    expect(ribbon?.mark.x).toBeCloseTo(mast + (slack.est / limit) * perLimit, 6)
  })

  test('is straight when healthy, sags when uncertain, and lifts its tip while collecting', () => {
    const spine = (evidence: Evidence) => {
      const corners = points(telltaleShape(evidence, 'lg').ribbon?.path ?? '')
      const at = (index: number) => ((corners[index]?.y ?? 0) + (corners[73 - index]?.y ?? 0)) / 2
      return { start: at(0), middle: at(18), end: at(36) }
    }
    expect(spine(healthy)).toEqual({ start: 22, middle: 22, end: 22 })
    expect(spine(slack).middle).toBeGreaterThan(spine(slack).start + 4)
    expect(spine(watching).end).toBeLessThan(spine(watching).start - 10)
  })

  test('flutters within its box, depending on the phase', () => {
    const still = telltaleShape(regressed, 'lg').ribbon?.path ?? ''
    expect(telltaleShape(regressed, 'lg', 1).ribbon?.path).not.toBe(still)
    expect(telltaleShape(regressed, 'lg', 2 * Math.PI).ribbon?.path).toBe(still)
    for (const { y } of points(still)) {
      expect(y).toBeGreaterThanOrEqual(0)
      expect(y).toBeLessThanOrEqual(telltaleSizes.lg.height)
    }
  })

  test('is tied to the mast only when harm is certain', () => {
    expect(telltaleShape(watching, 'md').ribbon?.tether).toBeDefined()
    expect(telltaleShape(slack, 'md').ribbon?.tether).toBeUndefined()
  })

  test('is cut at the edge of the scale with a sign, and always visible', () => {
    const far = telltaleShape({ est: 0.6, lo: 0.4, hi: 2.12, limit }, 'sm').ribbon
    expect(far).toMatchObject({ clippedRight: true, clippedLeft: false })
    const xs = points(far?.path ?? '').map(({ x }) => x)
    expect(Math.max(...xs) - Math.min(...xs)).toBeCloseTo(4)
    expect(telltaleShape({ est: -1, lo: -2, hi: 0, limit }, 'sm').ribbon?.clippedLeft).toBe(true)
  })

  test('is missing without data, and hangs down after a rollback', () => {
    for (const override of ['none', 'waiting', 'down'] as const) {
      const shape = telltaleShape({ ...healthy, override }, 'md')
      expect(shape.ribbon).toBeUndefined()
      expect(shape.limp !== undefined).toBe(override === 'down')
    }
  })
})
