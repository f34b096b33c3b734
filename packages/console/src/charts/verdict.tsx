import { type TelltaleState, telltaleLabels, telltaleTones } from '@telltale/core/states/telltale'

type VerdictMarkProps = { state: TelltaleState; x: number; y: number; radius: number }

/** The eight shapes that carry a status without colour. */
export function VerdictMark({ state, x, y, radius: r }: VerdictMarkProps) {
  const filled = 'fill-current stroke-surface'
  switch (state) {
    case 'streaming':
      return <circle className={filled} cx={x} cy={y} r={r} />
    case 'slack':
      return <circle className="fill-surface stroke-current" strokeWidth={1.5} cx={x} cy={y} r={r} />
    case 'lifted':
      return <path className={filled} d={`M${x} ${y - 1.25 * r}l${1.2 * r} ${2.1 * r}h${-2.4 * r}Z`} />
    case 'fouled':
      return (
        <path
          className="fill-none stroke-current"
          strokeWidth={1.6}
          d={`M${x - r} ${y - r}l${2 * r} ${2 * r}M${x + r} ${y - r}l${-2 * r} ${2 * r}`}
        />
      )
    case 'fluttering':
      return (
        <path
          className={filled}
          d={`M${x} ${y - 1.35 * r}l${1.35 * r} ${1.35 * r}l${-1.35 * r} ${1.35 * r}l${-1.35 * r} ${-1.35 * r}Z`}
        />
      )
    case 'down':
      return <path className={filled} d={`M${x} ${y + 1.25 * r}l${1.2 * r} ${-2.1 * r}h${-2.4 * r}Z`} />
    case 'waiting':
      return [-1.2, 0, 1.2].map((dx) => (
        <circle key={dx} className="fill-current stroke-transparent" cx={x + dx * r} cy={y} r={r * 0.35} />
      ))
    case 'none':
      return <path className="fill-none stroke-current" strokeWidth={1.5} d={`M${x - r} ${y}h${2 * r}`} />
  }
}

const tones = { ok: 'text-ok', warn: 'text-warn', bad: 'text-bad', idle: 'text-text-3' }

/** The shape of a state, in its tone. */
export function VerdictGlyph({ state }: { state: TelltaleState }) {
  return (
    <svg className={`size-12 shrink-0 ${tones[telltaleTones[state]]}`} viewBox="0 0 12 12" aria-hidden="true">
      <VerdictMark state={state} x={6} y={6} radius={3.4} />
    </svg>
  )
}

/** Shape and word of a state; another word when the state is final. */
export function Verdict({ state, word }: { state: TelltaleState; word?: string | undefined }) {
  return (
    <span
      className={`inline-flex items-center gap-6 whitespace-nowrap font-medium ${tones[telltaleTones[state]]}`}
    >
      <VerdictGlyph state={state} />
      {word ?? telltaleLabels[state]}
    </span>
  )
}
