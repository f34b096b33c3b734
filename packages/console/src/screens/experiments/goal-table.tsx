import { Link } from '@tanstack/react-router'
import type { ArmResult, Experiment, GoalResult } from '../../api/experiments.ts'
import { ForestRow } from '../../charts/forest-row.tsx'
import { type ChangeScale, changeScale } from '../../charts/harm-scale.ts'
import { VerdictGlyph } from '../../charts/verdict.tsx'
import { EffectHead } from '../../features/impact/effect-head.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { valueText } from '../../ui/text/effect-text.ts'
import { shareText } from '../../ui/text/measure-text.ts'
import { Variation } from '../../ui/variation.tsx'
import {
  changeIn,
  changeText,
  gainText,
  goalLabel,
  reasonText,
  verdictMarks,
  verdictTones,
  verdictWords,
  waitingText,
  withinText,
} from './experiment-words.ts'

type GoalTableProps = {
  arm: ArmResult
  control: string
  /** The flag of an experiment: its funnels are linked by variation. */
  flag?: Pick<Experiment, 'flag' | 'env'> | undefined
  orderOf: (variation: string) => number
  /** The split is wrong, so no number is reliable. */
  isDoubtful: boolean
}

/** One row per goal: both values, the change with its interval, a plot of the interval, and the verdict. */
export function GoalTable({ arm, control, flag, orderOf, isDoubtful }: GoalTableProps) {
  const { goals, treatment } = arm
  const scale = changeScale(goals.filter(({ change }) => change !== null).map(changeIn))
  return (
    <table
      aria-label={`Goals of ${treatment}`}
      className="w-full border-separate border-spacing-0 max-wide:block"
    >
      <EffectHead
        of="Goal"
        control={<Variation order={orderOf(control)} label={control} isKey />}
        treatment={<Variation order={orderOf(treatment)} label={treatment} isKey />}
        scale={scale}
      />
      <tbody className="max-wide:block [&>tr:last-child>td]:border-b-0 [&>tr:last-child>th]:border-b-0">
        {goals.map((goal) => (
          <GoalRow key={goal.metric} {...{ goal, control, flag, scale, isDoubtful }} />
        ))}
      </tbody>
    </table>
  )
}

const cell = 'h-row-2 border-line border-b px-8 py-6 max-wide:h-auto max-wide:border-0 max-wide:p-0'

interface GoalRowProps extends Pick<GoalTableProps, 'control' | 'flag'> {
  goal: GoalResult
  scale: ChangeScale
  isDoubtful: boolean
}

function GoalRow({ goal, control, flag, scale, isDoubtful }: GoalRowProps) {
  const { project } = useScope()
  const { name, values, verdict, gain, cap, saved, funnel, window } = goal
  const notes = [
    // The metrics of a holdout have none.
    gain > 0 && `wanted ${gainText(goal)}`,
    cap !== null && `capped at ${valueText(goal, cap)}`,
    withinText(goal),
    saved !== null && `history of users saves ${shareText(saved)} of them`,
  ].filter((note) => typeof note === 'string')
  const waiting = waitingText(goal)
  const text = changeText(goal)
  const reason = reasonText(goal)
  const number = isDoubtful ? 'text-text-3' : ''
  const arm = (of: 'control' | 'treatment') => (values === null ? '–' : valueText(goal, values[of]))
  return (
    <tr className="max-wide:grid max-wide:grid-cols-[minmax(0,1fr)_auto] max-wide:gap-x-12 max-wide:gap-y-2 max-wide:border-line max-wide:border-b max-wide:px-14 max-wide:py-10">
      <th
        scope="row"
        className={`${cell} min-w-[150px] pl-14 text-left font-regular max-wide:min-w-0 max-wide:pl-0`}
      >
        <span className="font-medium [overflow-wrap:anywhere]">{name}</span>
        {notes.length > 0 && <span className="block text-12 text-text-3">{notes.join(', ')}</span>}
        {waiting && <span className="block text-12 text-text-3">{waiting}</span>}
        {flag && funnel !== null && window !== null && (
          <Link
            to="/p/$project/explore/funnel"
            params={{ project }}
            search={{ env: flag.env, steps: funnel.steps, window, by: `flag:${flag.flag}`, control }}
            className="block text-12 text-accent hover:underline print:hidden"
          >
            Funnel by variation
          </Link>
        )}
      </th>
      <td className={`${cell} whitespace-nowrap text-right text-text-2 max-wide:hidden ${number}`}>
        {arm('control')}
      </td>
      <td className={`${cell} whitespace-nowrap text-right max-wide:hidden ${number}`}>{arm('treatment')}</td>
      <td
        className={`${cell} whitespace-nowrap text-right max-wide:col-start-2 max-wide:row-start-1 ${number}`}
      >
        {text && (
          <span className="grid">
            <b className="font-strong">{text.change}</b>
            <span className="text-12 text-text-3">{text.interval}</span>
          </span>
        )}
      </td>
      <td className={`${cell} max-wide:row-start-2 ${text ? '' : 'max-wide:hidden'}`}>
        {text && (
          <ForestRow
            change={changeIn(goal)}
            scale={scale}
            label={goalLabel(goal)}
            state={verdictMarks[verdict]}
            isDoubtful={isDoubtful}
          />
        )}
      </td>
      <td
        className={`${cell} pr-14 max-wide:row-start-2 max-wide:pr-0 ${text ? 'max-wide:text-right' : 'max-wide:col-span-2'}`}
      >
        <span className="inline-grid">
          <span
            className={`inline-flex items-center gap-6 font-medium ${text ? 'max-wide:justify-end' : ''} ${isDoubtful ? 'text-text-3' : verdictTones[verdict]}`}
          >
            <VerdictGlyph state={isDoubtful ? 'waiting' : (verdictMarks[verdict] ?? 'waiting')} />
            {verdictWords[verdict]}
          </span>
          {reason && <span className="text-pretty text-12 text-text-3 wide:max-w-[26ch]">{reason}</span>}
        </span>
      </td>
    </tr>
  )
}
