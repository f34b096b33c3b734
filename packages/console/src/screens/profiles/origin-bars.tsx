import type { ReactNode } from 'react'
import type { ProfiledFrame } from '../../api/profiles.ts'
import { flameLooks } from '../../charts/flame-box.ts'
import { durationText } from '../../ui/text/measure-text.ts'
import type { CallNode } from './call-tree.ts'
import { type Origin, originNames, origins } from './frame-origin.ts'

interface OriginTimes {
  readonly name: ReactNode
  /** For screen readers. */
  readonly label: string
  /** Mean per profile. */
  readonly total: number
  readonly times: Readonly<Record<Origin, number>>
}

/** Self time by origin. */
export function originTimes(nodes: readonly CallNode[], origin: (frame: ProfiledFrame) => Origin) {
  const times: Record<Origin, number> = { app: 0, fw: 0, '3p': 0, native: 0, gc: 0 }
  for (const { frame, self } of nodes) if (frame) times[origin(frame)] += self
  return times
}

/** Bars on one scale, each divided by origin. */
export function OriginBars({ bars }: { bars: readonly OriginTimes[] }) {
  const most = Math.max(...bars.map(({ total }) => total), 1e-9)
  const shown = origins.filter((origin) => bars.some(({ times }) => times[origin] > 0))
  return (
    <div className="grid gap-8">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-12 gap-y-8">
        {bars.map(({ name, label, total, times }) => (
          <div key={label} className="contents">
            <dt className="min-w-0 max-w-menu truncate">{name}</dt>
            <dd className="flex min-w-0 items-center gap-10">
              <span
                role="img"
                aria-label={`${label}: ${shown.map((origin) => `${originNames[origin]} ${durationText(times[origin])}`).join(', ')}`}
                className="flex h-16 gap-1 overflow-hidden rounded-chip"
                style={{ width: `calc((100% - 76px) * ${total / most})` }}
              >
                {shown.map((origin) => (
                  <span
                    key={origin}
                    className={`min-w-2 overflow-hidden text-center text-11 [line-height:16px] ${flameLooks[origin]}`}
                    style={{ flex: `${times[origin]} 1 0` }}
                  >
                    {times[origin] / most > 0.05 && Math.round(times[origin])}
                  </span>
                ))}
              </span>
              <b className="whitespace-nowrap font-medium">{durationText(total)}</b>
            </dd>
          </div>
        ))}
      </dl>
      <ul className="flex flex-wrap gap-x-14 gap-y-4 text-12 text-text-2">
        {shown.map((origin) => (
          <li key={origin} className="inline-flex items-center gap-6">
            <span className={`size-10 rounded-[2px] border border-line-strong ${flameLooks[origin]}`} />
            {originNames[origin]}
          </li>
        ))}
      </ul>
    </div>
  )
}
