import { useMemo } from 'react'
import type { ComparedFrame, ProfileDifference } from '../../api/profiles.ts'
import { ChangeInterval, ChangeScale } from '../../charts/change-interval.tsx'
import { Segmented } from '../../ui/form/choice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { keyOf } from '../../ui/text/function-key.ts'
import { countOf, countText, durationText, signedText } from '../../ui/text/measure-text.ts'
import { changeSentence, changeText, intervalText } from './change-words.ts'
import { FunctionName } from './function-name.tsx'
import { useProfilesSearch } from './use-profiles-search.ts'

const shownAtMost = 50
const cell = 'h-row whitespace-nowrap border-line border-b px-10'
const head = 'whitespace-nowrap border-line border-b px-10 py-6 font-medium text-11 text-text-3'

/** The change of each function's time, with its interval; significant changes first. */
export function ChangedFunctions({ difference }: { difference: ProfileDifference }) {
  const { search, set } = useProfilesSearch()
  const { by = 'self', find = '' } = search
  const { control, treatment, comparable } = difference
  const rows = useMemo(() => rowsOf(difference, by), [difference, by])
  const reach = reachOf(rows.slice(0, shownAtMost).map((row) => row[by]))
  const wanted = find.toLowerCase()
  const found = rows.filter(({ frame }) =>
    (frame.original?.function || frame.function).toLowerCase().includes(wanted),
  )

  return (
    <Panel
      title="Functions that changed"
      note={`mean of ${countText(control.profiles)} and ${countOf(treatment.profiles, 'profile')} of ${countText(control.units)} and ${countOf(treatment.units, 'visitor')}; simultaneous always-valid 95% intervals`}
      flush
      actions={
        <Segmented
          label="Time"
          choices={[
            { value: 'self', label: 'Self time' },
            { value: 'total', label: 'Total time' },
          ]}
          value={by}
          onValue={(next) => set({ by: next === 'self' ? undefined : next }, true)}
        />
      }
      footer={
        found.length > shownAtMost
          ? `The ${shownAtMost} largest changes among the ${found.length} functions with the most time.`
          : undefined
      }
    >
      <section
        aria-label="Functions that changed"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
        tabIndex={0}
        className="relative overflow-x-auto -outline-offset-2"
      >
        <table aria-label="Functions that changed" className="w-full border-separate border-spacing-0">
          <thead>
            <tr>
              <th scope="col" className={`${head} pl-14 text-left`}>
                Function
              </th>
              {[control, treatment].map(({ variation }) => (
                <th key={variation} scope="col" className={`${head} max-w-[16ch] truncate text-right`}>
                  {variation}
                </th>
              ))}
              <th scope="col" className={`${head} text-right`}>
                Change
              </th>
              <th scope="col" className={`${head} pr-14`}>
                <span className="sr-only">Interval</span>
                <ChangeScale reach={reach} format={(value) => signedText(value, durationText)} />
              </th>
            </tr>
          </thead>
          <tbody className="[&>tr:last-child>td]:border-b-0">
            {found.slice(0, shownAtMost).map((row) => (
              <ChangedRow
                key={keyOf(row.frame)}
                row={row}
                by={by}
                reach={reach}
                against={control.variation}
                isJudged={comparable}
                isOpen={search.fn === keyOf(row.frame)}
                onOpen={() => set({ fn: keyOf(row.frame) }, true)}
              />
            ))}
          </tbody>
        </table>
      </section>
      {found.length === 0 && <p className="px-14 py-12 text-text-2">No matching function.</p>}
    </Panel>
  )
}

type ChangedRowProps = {
  row: ComparedFrame
  by: 'self' | 'total'
  reach: number
  against: string
  /** Colour and weight express a verdict. */
  isJudged: boolean
  isOpen: boolean
  onOpen: () => void
}

function ChangedRow({ row, by, reach, against, isJudged, isOpen, onOpen }: ChangedRowProps) {
  const change = row[by]
  const isCertain = change.certain && isJudged
  const isMore = change.change > 0
  const tone = isCertain ? (isMore ? 'more' : 'less') : 'same'
  const look = { more: 'font-strong text-bad', less: 'font-strong text-ok', same: 'font-medium text-text-2' }
  return (
    <tr className={`hover:bg-hover ${isOpen ? 'bg-selected shadow-[inset_2px_0_0_var(--accent)]' : ''}`}>
      <td className={`${cell} w-full min-w-menu max-w-0 pl-14`}>
        <FunctionName frame={row.frame} onOpen={onOpen} />
      </td>
      <td className={`${cell} text-right text-text-2`}>{durationText(change.control)}</td>
      <td className={`${cell} text-right`}>{durationText(change.treatment)}</td>
      <td className={`${cell} text-right ${look[tone]}`} title={intervalText(change)}>
        {changeText(change)}
        {!isCertain && <span className="sr-only">, no significant change</span>}
      </td>
      <td className={`${cell} pr-14`}>
        <ChangeInterval {...change} reach={reach} tone={tone} label={changeSentence(change, against)} />
      </td>
    </tr>
  )
}

function rowsOf({ frames }: ProfileDifference, by: 'self' | 'total'): ComparedFrame[] {
  return frames
    .filter((row) => row[by].control + row[by].treatment > 0)
    .toSorted(
      (one, other) =>
        Number(other[by].certain) - Number(one[by].certain) ||
        Math.abs(other[by].change) - Math.abs(one[by].change),
    )
}

const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000]
/** Part of the space between zero and the end of the scale. */
const roomBeyond = 1.4

/** A round number that covers all but the widest intervals. */
function reachOf(changes: readonly ComparedFrame['self'][]): number {
  const most = Math.max(0.5, ...changes.map(({ change }) => Math.abs(change)))
  return steps.find((step) => step * roomBeyond >= most) ?? most
}
