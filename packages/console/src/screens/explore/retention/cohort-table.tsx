import type { ReactNode } from 'react'
import type { Retention } from '../../../api/funnels.ts'
import { countText, shareText } from '../../../ui/text/measure-text.ts'

/** Cohorts as rows, and the days or weeks after as columns. What is not over is marked, what has not begun is empty. */
export function CohortTable({ retention: { cohorts, step, steps, timeZone } }: { retention: Retention }) {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', month: 'short' })
  const afters = Array.from({ length: Math.max(0, steps - 1) }, (_, index) => index)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
    <section aria-label="Cohorts" tabIndex={0} className="relative overflow-x-auto -outline-offset-2">
      <table className="w-full border-separate border-spacing-0 tabular-nums">
        <caption className="sr-only">
          Share of each cohort that returns, by {step}s after. An asterisk marks a {step} that is not over.
        </caption>
        <thead>
          <tr className="text-11 text-text-3">
            <Head isFirst>{step === 'day' ? 'Day' : 'Week of'}</Head>
            <Head>Users</Head>
            {afters.map((after) => (
              <Head key={after}>
                <span className="sr-only">After {step} </span>+{after + 1}
              </Head>
            ))}
          </tr>
        </thead>
        <tbody>
          {cohorts.map(({ at, partial, size, returns }) => (
            <tr key={at} className="hover:bg-hover">
              <th
                scope="row"
                className="whitespace-nowrap border-line border-b px-14 py-6 text-left font-normal"
              >
                {format.format(new Date(at))}
                {partial && <Mark text={`Only a part of this ${step} is in the time range`} />}
              </th>
              <td className="border-line border-b px-10 text-right">{countText(size)}</td>
              {afters.map((after) => (
                <Cell key={after} returned={returns[after]} size={size} step={step} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

type CellProps = {
  returned: Retention['cohorts'][number]['returns'][number] | undefined
  size: number
  step: Retention['step']
}

function Cell({ returned, size, step }: CellProps) {
  const className = 'min-w-48 border-line border-b px-6 text-right'
  if (returned === undefined) return <td className={className} />
  if (size === 0) return <td className={`${className} text-text-3`}>–</td>
  const share = returned.count / size
  return (
    <td
      className={className}
      title={`${countText(returned.count)} of ${countText(size)}`}
      // The darker, the more users return.
      style={{ background: `color-mix(in srgb, var(--accent) ${Math.round(share * 55)}%, transparent)` }}
    >
      <span className={returned.partial ? 'text-text-2' : ''}>{shareText(share)}</span>
      {returned.partial && <Mark text={`This ${step} is not over`} />}
    </td>
  )
}

function Mark({ text }: { text: string }) {
  return (
    <span title={text} className="text-text-2">
      *<span className="sr-only"> {text}</span>
    </span>
  )
}

function Head({ isFirst = false, children }: { isFirst?: boolean; children: ReactNode }) {
  return (
    <th
      scope="col"
      className={`whitespace-nowrap border-line border-b px-6 py-6 font-medium ${isFirst ? 'px-14 text-left' : 'text-right'}`}
    >
      {children}
    </th>
  )
}
