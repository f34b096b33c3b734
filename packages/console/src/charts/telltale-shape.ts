// The geometry of the telltale: data in, paths out. The horizontal extent is exact data; the vertical shape
// only repeats the state, whose rule is in core.
import { type Evidence, type TelltaleState, telltaleStateOf } from '@telltale/core/states/telltale'

export type TelltaleSize = 'sm' | 'md' | 'lg'

export const telltaleSizes = {
  sm: { width: 96, height: 20, pad: 6, thick: 6, lift: 7, flutter: 4, mark: 2.6 },
  md: { width: 136, height: 24, pad: 8, thick: 8, lift: 10, flutter: 5.5, mark: 3.1 },
  lg: { width: 300, height: 44, pad: 12, thick: 12, lift: 18, flutter: 10, mark: 4 },
} as const

const domain = { from: -1.25, to: 2 }
const samples = 36

interface Ribbon {
  readonly path: string
  /** Position of the estimate. */
  readonly mark: { readonly x: number; readonly y: number }
  /** From the mast to the near end of the interval, when harm is certain. */
  readonly tether: { readonly x: number; readonly y: number } | undefined
  readonly clippedLeft: boolean
  readonly clippedRight: boolean
}

export interface TelltaleShape {
  readonly state: TelltaleState
  readonly mast: number
  readonly gate: number
  readonly middle: number
  readonly ribbon: Ribbon | undefined
  /** The limp ribbon of a rolled-back rollout. */
  readonly limp: string | undefined
}

/** `phase` moves the flutter, from 0 to 2π. */
export function telltaleShape(evidence: Evidence, size: TelltaleSize, phase = 0): TelltaleShape {
  const { width, height, pad } = telltaleSizes[size]
  const state = telltaleStateOf(evidence)
  const x = (u: number) =>
    pad + ((clamp(u, domain.from, domain.to) - domain.from) / (domain.to - domain.from)) * (width - 2 * pad)
  const frame = { state, mast: x(0), gate: x(1), middle: height / 2 }

  if (state === 'down') return { ...frame, ribbon: undefined, limp: limpPath(frame.mast, height) }
  if (state === 'none' || state === 'waiting') return { ...frame, ribbon: undefined, limp: undefined }
  return { ...frame, limp: undefined, ribbon: ribbonOf({ evidence, state, size, x, phase }) }
}

interface RibbonDraft {
  evidence: Evidence
  state: TelltaleState
  size: TelltaleSize
  x: (u: number) => number
  phase: number
}

function ribbonOf({ evidence, state, size, x, phase }: RibbonDraft): Ribbon {
  const { height, thick } = telltaleSizes[size]
  const [lo, hi, est] = [evidence.lo, evidence.hi, evidence.est].map((value) => value / evidence.limit)
  const from = x(lo ?? 0)
  const to = Math.max(from + 4, x(hi ?? 0))
  const length = to - from
  const markX = clamp(x(est ?? 0), from, to)
  const atMark = (markX - from) / length
  const spine = spineOf(state, size, { waves: clamp(length / (0.62 * height), 1.5, 4), phase })
  const slim = state === 'fluttering' ? 0.72 : 1
  const half = (s: number) => {
    const nearness = s < atMark ? s / (atMark || 1) : (1 - s) / (1 - atMark || 1)
    return (thick / 2) * (0.36 + 0.64 * nearness) * slim
  }

  const upper: string[] = []
  const lower: string[] = []
  for (let sample = 0; sample <= samples; sample++) {
    const s = sample / samples
    upper.push(point(from + length * s, spine(s) - half(s)))
    lower.unshift(point(from + length * s, spine(s) + half(s)))
  }
  return {
    path: `M${upper.join('L')}L${lower.join('L')}Z`,
    mark: { x: markX, y: spine(atMark) },
    tether: evidence.lo > 0 && from > x(0) + 1 ? { x: from, y: spine(0) } : undefined,
    clippedLeft: (lo ?? 0) < domain.from,
    clippedRight: (hi ?? 0) > domain.to,
  }
}

function spineOf(
  state: TelltaleState,
  size: TelltaleSize,
  { waves, phase }: { waves: number; phase: number },
): (s: number) => number {
  const { height, lift, flutter } = telltaleSizes[size]
  const middle = height / 2
  if (state === 'lifted') return (s) => middle + 0.35 * lift - lift * s * s
  if (state === 'slack') return (s) => middle + 1.1 * lift * s * (1 - s)
  if (state === 'fluttering') {
    return (s) => middle + flutter * Math.sin(2 * Math.PI * waves * s - phase) * s ** 0.6
  }
  return () => middle
}

function limpPath(mast: number, height: number): string {
  const at = (dx: number, y: number) => point(mast + dx * height, y * height)
  return `M${point(mast + 1, 0.15 * height)}C${at(0.2, 0.16)} ${at(0.24, 0.32)} ${at(0.17, 0.52)}S${at(0.13, 0.8)} ${at(0.19, 0.93)}`
}

function point(x: number, y: number): string {
  return `${x.toFixed(1)} ${y.toFixed(1)}`
}

function clamp(value: number, from: number, to: number): number {
  return Math.min(to, Math.max(from, value))
}
