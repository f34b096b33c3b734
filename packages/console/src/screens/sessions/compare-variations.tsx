import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Chip, type Filter, printFilter } from '@telltale/core/query/filter'
import type { ReactNode } from 'react'
import { type SessionQuestion, type SessionVariation, sessionVariationsQuery } from '../../api/sessions.ts'
import { NothingFound } from '../../shell/nothing-found.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { Panel } from '../../ui/panel.tsx'
import { Async, Empty, Skeleton } from '../../ui/states.tsx'
import { countText, shareText } from '../../ui/text/measure-text.ts'
import { VitalValue } from '../../ui/text/vital-value.tsx'
import { ReadVariation } from './read-variation.tsx'
import { useVariationOrder } from './use-variation-orders.ts'

type CompareVariationsProps = {
  requested: SessionQuestion
  filter: Filter
  flag: string | undefined
  /** The flag that stands out is not known yet. */
  isLoading: boolean
  onClear: (() => void) | undefined
}

/**
 * The sessions of each variation side by side. Without changes in percent: without an interval they would
 * mislead.
 */
export function CompareVariations({ flag, isLoading, ...rest }: CompareVariationsProps) {
  if (flag === undefined) {
    return (
      <Panel>
        {isLoading ? (
          <Skeleton />
        ) : (
          <Empty title="Nothing differs">
            Every session has the same variation of each flag. Choose a flag above to compare sessions by
            variation.
          </Empty>
        )}
      </Panel>
    )
  }
  return <OfFlag flag={flag} {...rest} />
}

function OfFlag({
  requested,
  filter,
  flag,
  onClear,
}: Omit<CompareVariationsProps, 'isLoading'> & { flag: string }) {
  const { project, environment } = useScope()
  const found = useQuery(sessionVariationsQuery(requested, flag))
  const order = useVariationOrder()
  return (
    <Panel
      title={<>Variations of {flag}</>}
      note="sessions that match the filter"
      flush
      footer={
        <>
          Differences here may have many causes, including chance. For the effect of the flag with confidence
          intervals, see{' '}
          <Link
            to="/p/$project/flags/$flag/impact"
            params={{ project, flag }}
            search={{ env: environment.key }}
            className="text-accent underline"
          >
            its Impact tab
          </Link>
          .
        </>
      }
    >
      <Async
        of={found}
        isEmpty={({ variations }) => variations.length === 0}
        empty={
          onClear ? (
            <NothingFound of="sessions" onClear={onClear} />
          ) : (
            <Empty title="No session with this flag">Choose another flag, or a longer time range.</Empty>
          )
        }
      >
        {({ variations }) => {
          const ordered = variations.toSorted(
            (a, b) => (order(flag, a.variation) ?? 99) - (order(flag, b.variation) ?? 99),
          )
          return (
            <div className="overflow-x-auto">
              <VariationTable
                variations={ordered}
                nameOf={(one) => <ReadVariation flag={flag} variation={one.variation} order={order} />}
                flag={flag}
                filter={filter}
              />
            </div>
          )
        }}
      </Async>
    </Panel>
  )
}

type VariationTableProps = {
  variations: readonly SessionVariation[]
  nameOf: (variation: SessionVariation) => ReactNode
  flag: string
  filter: Filter
}

const cell = 'border-line border-t px-14 py-8 text-right whitespace-nowrap'

type Fact = [name: string, value: (one: SessionVariation) => ReactNode]

const otherVariations: Fact = ['with another variation as well', ({ withOthers }) => countText(withOthers)]

function VariationTable({ variations, nameOf, flag, filter }: VariationTableProps) {
  const facts: Fact[] = [
    ['Sessions', (one) => <SessionsOf one={one} flag={flag} filter={filter} />],
    ...(variations.some(({ withOthers }) => withOthers > 0) ? [otherVariations] : []),
    ['LCP, p75', (one) => <OfVital one={one} name="LCP" />],
    ['INP, p75', (one) => <OfVital one={one} name="INP" />],
    ['CLS, p75', (one) => <OfVital one={one} name="CLS" />],
    ['With errors', (one) => <ShareOf count={one.withErrors} of={one.sessions} />],
    ['With failed requests', (one) => <ShareOf count={one.withFailedRequests} of={one.sessions} />],
    ['With frustration', (one) => <ShareOf count={one.withFrustration} of={one.sessions} />],
  ]
  return (
    <table className="w-full" aria-label="Variations side by side">
      <thead>
        <tr>
          <td />
          {variations.map((one) => (
            <th key={one.variation} scope="col" className="px-14 py-8 text-right font-medium">
              <span className="inline-flex justify-end">{nameOf(one)}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {facts.map(([name, value]) => (
          <tr key={name}>
            <th scope="row" className="border-line border-t px-14 py-8 text-left font-regular text-text-2">
              {name}
            </th>
            {variations.map((one) => (
              <td key={one.variation} className={cell}>
                {value(one)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Links to these sessions: the filter with only this variation. */
function SessionsOf({ one, flag, filter }: { one: SessionVariation; flag: string; filter: Filter }) {
  const others = filter.chips.filter((chip) => chip.field !== 'flag' || chip.key !== flag || chip.isNegated)
  const chip: Chip = {
    field: 'flag',
    key: flag,
    isNegated: false,
    operator: 'is',
    values: [one.variation],
  }
  return (
    <Link
      from="/p/$project/sessions"
      to="/p/$project/sessions"
      search={(now) => ({
        ...now,
        q: printFilter({ ...filter, chips: [...others, chip] }),
        view: undefined,
      })}
      className="text-accent hover:underline"
    >
      {countText(one.sessions)}
    </Link>
  )
}

function OfVital({ one, name }: { one: SessionVariation; name: 'LCP' | 'INP' | 'CLS' }) {
  const vital = one.vitals.find((each) => each.name === name)
  return <VitalValue name={name} value={vital?.p75 ?? null} count={vital?.count ?? 0} />
}

function ShareOf({ count, of }: { count: number; of: number }) {
  if (of === 0) return '–'
  return (
    <>
      {shareText(count / of)} <span className="text-12 text-text-3">{countText(count)}</span>
    </>
  )
}
