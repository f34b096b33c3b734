import { type Evidence, telltaleLabels, telltaleTones } from '@telltale/core/states/telltale'
import { useEffect, useState } from 'react'
import { type TelltaleShape, type TelltaleSize, telltaleShape, telltaleSizes } from './telltale-shape.ts'
import { VerdictMark } from './verdict.tsx'

const tones = {
  ok: 'text-ok-fill',
  warn: 'text-warn-fill',
  bad: 'text-bad-fill',
  idle: 'text-control',
}

type TelltaleProps = {
  evidence: Evidence
  /** Replaces the word of its state. */
  word?: string | undefined
  /** In the metric's own direction: `Orders −0.6%, limit −3%`. */
  text?: string
  size?: TelltaleSize
  /** The flutter is animated only where one telltale is the subject of the screen. */
  moving?: boolean
  /** No data for five minutes. */
  isOld?: boolean
}

/** Shows whether a flag harms users more than its limit. */
export function Telltale({
  evidence,
  word,
  text,
  size = 'md',
  moving = false,
  isOld = false,
}: TelltaleProps) {
  const phase = useFlutter(moving)
  const shape = telltaleShape(evidence, size, phase)
  const { width, height } = telltaleSizes[size]

  return (
    <svg
      role="img"
      aria-label={[word ?? telltaleLabels[shape.state], text].filter(Boolean).join('. ')}
      data-state={shape.state}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className={`shrink-0 overflow-visible fill-none stroke-current ${tones[telltaleTones[shape.state]]} forced-colors:text-[CanvasText]`}
    >
      <Rigging shape={shape} size={size} />
      <g className={isOld ? 'opacity-50' : ''}>
        <Sail shape={shape} size={size} moves={moving} />
      </g>
    </svg>
  )
}

/** The parts that are the same in every state: the zone beyond the limit, the axis, the gate and the mast. */
function Rigging({ shape, size }: { shape: TelltaleShape; size: TelltaleSize }) {
  const { width, height, pad } = telltaleSizes[size]
  const { state, mast, gate, middle } = shape
  const end = width - pad / 2

  return (
    <>
      {state === 'none' ? (
        <path className="stroke-line-strong" strokeDasharray="2 4" d={`M${mast} ${middle}H${end}`} />
      ) : (
        <>
          <rect
            className="fill-zone stroke-transparent"
            x={gate}
            y={1}
            width={end - gate}
            height={height - 2}
            rx={2}
          />
          <path className="stroke-line-strong" d={`M${pad / 2} ${middle}H${end}`} />
          <path className="stroke-text-3" strokeDasharray="2 2" d={`M${gate} 1V${height - 1}`} />
        </>
      )}
      <path className="stroke-text-2" strokeWidth={1.5} d={`M${mast} 2V${height - 2}`} />
    </>
  )
}

function Sail({ shape, size, moves }: { shape: TelltaleShape; size: TelltaleSize; moves: boolean }) {
  const { width, pad, thick, mark } = telltaleSizes[size]
  const { state, mast, middle, ribbon, limp } = shape

  if (state === 'waiting') {
    return [10, 16, 22].map((dx) => (
      <circle
        key={dx}
        className="animate-fade fill-current stroke-transparent"
        cx={mast + dx}
        cy={middle}
        r={1.4}
      />
    ))
  }
  if (limp)
    return (
      <path className="animate-fade" d={limp} strokeWidth={thick / 2} strokeLinecap="round" opacity={0.85} />
    )
  if (!ribbon) return null

  const right = width - pad + 2
  const left = pad - 2
  return (
    <>
      {ribbon.tether && <path d={`M${mast} ${middle}L${ribbon.tether.x} ${ribbon.tether.y}`} />}
      <path
        // Changes of state morph; while it flutters, each frame is drawn directly.
        className={`fill-current stroke-transparent ${moves ? '' : 'transition-[d,opacity] duration-(--t3)'}`}
        opacity={state === 'fluttering' ? 0.8 : 0.6}
        d={ribbon.path}
      />
      {ribbon.clippedRight && (
        <path strokeWidth={1.6} d={`M${right} ${middle - mark}l${mark} ${mark}l${-mark} ${mark}`} />
      )}
      {ribbon.clippedLeft && (
        <path strokeWidth={1.6} d={`M${left} ${middle - mark}l${-mark} ${mark}l${mark} ${mark}`} />
      )}
      <VerdictMark state={state} x={ribbon.mark.x} y={ribbon.mark.y} radius={mark} />
    </>
  )
}

const flutterTurn = 2_400

/** The phase of the flutter while the tab is visible and reduced motion is off. */
function useFlutter(moving: boolean): number {
  const [phase, setPhase] = useState(0)
  useEffect(() => {
    if (!moving || matchMedia('(prefers-reduced-motion: reduce)').matches) return
    let frame = requestAnimationFrame(function draw(at) {
      setPhase(((at % flutterTurn) / flutterTurn) * 2 * Math.PI)
      frame = requestAnimationFrame(draw)
    })
    return () => cancelAnimationFrame(frame)
  }, [moving])
  return moving ? phase : 0
}
