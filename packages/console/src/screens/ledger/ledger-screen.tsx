import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { harmKinds } from '@telltale/core/guard/ledger/ledger-counts'
import { type Ledger, ledgerAddress, ledgerQuery } from '../../api/ledger.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { DocsLink } from '../../ui/docs-link.tsx'
import { Segmented } from '../../ui/form/choice.tsx'
import { Select } from '../../ui/form/select.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Async, Empty } from '../../ui/states.tsx'
import { shareText } from '../../ui/text/measure-text.ts'
import { Time } from '../../ui/text/time.tsx'
import { BudgetDialog } from './budget-dialog.tsx'
import { BudgetPanel } from './budget-panel.tsx'
import type { LedgerSearch } from './ledger-search.ts'
import { LedgerTable } from './ledger-table.tsx'
import { kindWords, monthText } from './ledger-words.ts'
import { RollbacksPanel } from './rollbacks-panel.tsx'
import { UnsplitPanel } from './unsplit-panel.tsx'

/** Users of a month who were affected because of a flag, what rollbacks prevented, and the budget of harm. */
export function LedgerScreen() {
  const { project, environment } = useScope()
  const search = useSearch({ from: '/p/$project/ledger' })
  const navigate = useNavigate({ from: '/p/$project/ledger' })
  const place = { project, env: environment.key }
  const found = useQuery(ledgerQuery(place, search.month))
  const set = (change: LedgerSearch) =>
    void navigate({ search: (now) => ({ ...now, ...change }), replace: true, resetScroll: false })
  return (
    <Screen title="Ledger">
      <Async of={found}>
        {(ledger) => (
          <>
            <Controls ledger={ledger} search={search} set={set} />
            <BudgetPanel ledger={ledger} onEdit={() => set({ budget: true })} />
            <Figures ledger={ledger} kind={search.kind ?? 'any'} />
            {search.budget && (
              <BudgetDialog place={place} budget={ledger.budget} onClose={() => set({ budget: undefined })} />
            )}
          </>
        )}
      </Async>
    </Screen>
  )
}

interface ControlsProps {
  ledger: Ledger
  search: LedgerSearch
  set: (change: LedgerSearch) => void
}

function Controls({ ledger, search, set }: ControlsProps) {
  const { project, environment } = useScope()
  const { month, months, figures } = ledger
  const all = [...new Set([month, ...months])].toSorted().toReversed()
  return (
    <div className="flex flex-wrap items-end gap-12">
      <Select
        label="Month"
        hideLabel
        options={all.map((value) => ({ value, label: monthText(value) }))}
        value={month}
        onValue={(next) => set({ month: next })}
      />
      <Segmented
        label="Kind of harm"
        choices={harmKinds.map((value) => ({ value, label: kindWords[value] }))}
        value={search.kind ?? 'any'}
        onValue={(kind) => set({ kind: kind === 'any' ? undefined : kind })}
      />
      {figures !== null && (
        <a
          href={ledgerAddress({ project, env: environment.key }, month)}
          download={`ledger-${project}-${environment.key}-${month}.csv`}
          className={`${buttonClass()} print:hidden`}
        >
          Export CSV
        </a>
      )}
    </div>
  )
}

interface FiguresProps {
  ledger: Ledger
  kind: (typeof harmKinds)[number]
}

function Figures({ ledger: { figures, sampling, month, timeZone }, kind }: FiguresProps) {
  if (figures === null)
    return (
      <Empty title={`No figures for ${monthText(month)}`}>
        The ledger needs a percentage split with two variations in this environment. Figures appear within
        minutes of its first users. <DocsLink page="guides/ledger">Read the guide</DocsLink>.
      </Empty>
    )
  const { at, from, to, isComplete, entries, rollbacks, unsplit, leftOut } = figures
  return (
    <>
      {sampling < 1 && (
        <Notice
          tone="info"
          title={`${shareText(sampling)} of sessions are recorded`}
          detail="Only their users are counted: real numbers are larger."
        />
      )}
      {leftOut > 0 && (
        <Notice
          tone="info"
          title={`${leftOut} earlier splits are left out`}
          detail="One estimate covers the latest splits of a month."
        />
      )}
      <LedgerTable entries={entries} kind={kind} />
      <RollbacksPanel rollbacks={rollbacks} />
      <UnsplitPanel unsplit={unsplit} />
      <p className="text-pretty text-12 text-text-3">
        Computed <Time at={at} />, {isComplete ? 'from the whole month' : 'from '}
        {!isComplete && (
          <>
            <Time at={from} /> to <Time at={to} />
          </>
        )}{' '}
        ({timeZone}). Every interval holds at any time with 95%. Confirmed figures hold together, so they can
        be added. <DocsLink page="guides/ledger">How it is estimated</DocsLink>.
      </p>
    </>
  )
}
