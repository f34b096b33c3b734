import { useQuery } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { type Chip, printFilter } from '@telltale/core/query/filter'
import type { ReactNode } from 'react'
import { flameGraphQuery, type ProfileDifference, profileDifferenceQuery } from '../../api/profiles.ts'
import type { Question } from '../../api/question.ts'
import { useQuestion } from '../../shell/use-question.ts'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async, Empty, Skeleton } from '../../ui/states.tsx'
import { countOf } from '../../ui/text/measure-text.ts'
import { ComparedFlames } from './compared-flames.tsx'
import { useCompared } from './use-compared.ts'

type DifferenceViewProps = { question: Question; page: string; nothing: ReactNode }

/** The difference in script time of a page between two variations. */
export function DifferenceView({ question, page, nothing }: DifferenceViewProps) {
  const { compared, isNone, flags, isReady, flagQuery } = useCompared(question, page)
  if (isNone) {
    return (
      <Panel>
        <Empty title="Nothing differs on this page">
          Compare two variations of a flag that the page evaluates with the same client. Every user of this
          page got the same variation of each flag, or it evaluates none.
        </Empty>
      </Panel>
    )
  }
  if (compared === undefined) return <Async of={flags}>{() => <Skeleton />}</Async>
  const { flag, control, treatment } = compared
  return (
    <>
      {isReady ? (
        <Difference
          page={page}
          sides={{ flag, control, treatment }}
          orderOf={(variation) =>
            Math.max(
              0,
              compared.variations.findIndex(({ key }) => key === variation),
            )
          }
          nothing={nothing}
        />
      ) : (
        <Async of={flagQuery}>
          {() => (
            <Panel>
              <Empty title="No baseline">The flag has only one variation.</Empty>
            </Panel>
          )}
        </Async>
      )}
    </>
  )
}

interface Sides {
  flag: string
  control: string
  treatment: string
}

type DifferenceProps = {
  page: string
  sides: Sides
  orderOf: (variation: string) => number
  nothing: ReactNode
}

function Difference({ page, sides, orderOf, nothing }: DifferenceProps) {
  const { question, filter } = useQuestion()
  const { flag } = sides
  const others = filter.chips.filter(
    ({ field, key, isNegated }) => field !== 'flag' || key !== flag || isNegated,
  )
  const ofSide = (variation: string) => {
    const chip: Chip = { field: 'flag', key: flag, isNegated: false, operator: 'is', values: [variation] }
    return { ...question, filter: printFilter({ ...filter, chips: [...others, chip] }) }
  }
  const plain = { ...question, filter: printFilter({ ...filter, chips: others }) }
  const difference = useQuery(profileDifferenceQuery(plain, { page, ...sides }))
  const control = useQuery(flameGraphQuery(ofSide(sides.control), page))
  const treatment = useQuery(flameGraphQuery(ofSide(sides.treatment), page))
  const isNone = ({ control, treatment }: ProfileDifference) => control.profiles + treatment.profiles === 0

  return (
    <Async of={difference} isEmpty={isNone} empty={nothing}>
      {(found) => (
        <>
          {!found.comparable && (
            <Notice
              tone="warn"
              title="Assigned by rule: not comparable"
              detail={`Users were not assigned to variations of ${flag} at random, so a difference may come from the users rather than the code. Shown without a verdict.`}
            />
          )}
          {found.enough ? (
            <Async of={control}>
              {(ofControl) => (
                <Async of={treatment}>
                  {(ofTreatment) => (
                    <ComparedFlames
                      question={question}
                      page={page}
                      difference={found}
                      control={ofControl}
                      treatment={ofTreatment}
                      orderOf={orderOf}
                    />
                  )}
                </Async>
              )}
            </Async>
          ) : (
            <TooFew difference={found} />
          )}
        </>
      )}
    </Async>
  )
}

function TooFew({ difference: { control, treatment } }: { difference: ProfileDifference }) {
  const countText = ({ variation, profiles, units }: ProfileDifference['control']) =>
    `${variation}: ${countOf(profiles, 'profile')} of ${countOf(units, 'visitor')}`
  return (
    <Panel>
      <Empty title="Too few profiles to compare">
        <p>Each variation needs at least {limits.profileMinimum} profiles from ten visitors.</p>
        <ul className="pt-8">
          {[control, treatment].map((side) => (
            <li key={side.variation}>{countText(side)}</li>
          ))}
        </ul>
      </Empty>
    </Panel>
  )
}
