import { Link } from '@tanstack/react-router'
import type { HarmBudget, Ledger } from '../../api/ledger.ts'
import { useMayHere } from '../../shell/account.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { countOf, countText } from '../../ui/text/measure-text.ts'
import { budgetText, monthText, policyText } from './ledger-words.ts'

type BudgetPanelProps = { ledger: Ledger; onEdit: () => void }

/** How much of the budget the confirmed harm of the month spent. */
export function BudgetPanel({ ledger, onEdit }: BudgetPanelProps) {
  const { budget, month, figures, waiting } = ledger
  const mayEdit = useMayHere('environments.manage')
  const edit = mayEdit && <Button onClick={onEdit}>{budget === null ? 'Set budget' : 'Change'}</Button>
  return (
    <Panel title="Budget of harm" note={monthText(month)} actions={edit}>
      <div className="grid gap-10">
        {budget === null ? (
          <p className="text-pretty text-text-2">
            {figures !== null && `${countOf(Math.floor(figures.confirmed), 'user')} affected, confirmed. `}No
            budget is set.{!mayEdit && ' Admins set it.'}
          </p>
        ) : (
          <Spent budget={budget} />
        )}
        {waiting.length > 0 && (
          <Notice
            tone="warn"
            title={`${countOf(waiting.length, 'rollout')} waiting`}
            detail={
              <ul className="flex flex-wrap gap-x-12 gap-y-4">
                {waiting.map(({ rollout, flag }) => (
                  <li key={rollout}>
                    <Link
                      from="/p/$project/ledger"
                      to="/p/$project/rollouts/$rollout"
                      params={{ rollout }}
                      search={({ env }) => ({ env })}
                    >
                      <code>{flag}</code>
                    </Link>
                  </li>
                ))}
              </ul>
            }
          />
        )}
      </div>
    </Panel>
  )
}

function Spent({ budget }: { budget: HarmBudget }) {
  const { allowed, spent, isSpent, unit, policy } = budget
  const share = allowed > 0 ? Math.min(1, spent / allowed) : Number(isSpent)
  const text = `${countText(Math.floor(spent))} of ${countText(Math.floor(allowed))} users${unit === 'share' ? ` (${budgetText(budget)})` : ''}`
  return (
    <div className="grid gap-6">
      <p>
        <span className={`font-strong tabular-nums ${isSpent ? 'text-bad' : ''}`}>{text}</span>{' '}
        <span className="text-text-2">
          {isSpent ? 'Spent.' : 'confirmed.'} {policyText(policy)}
        </span>
      </p>
      <div
        role="progressbar"
        aria-label="Budget of harm"
        aria-valuemin={0}
        aria-valuemax={Math.max(1, Math.floor(allowed))}
        aria-valuenow={Math.min(Math.floor(spent), Math.max(1, Math.floor(allowed)))}
        aria-valuetext={text}
        className="h-8 overflow-hidden rounded-chip bg-hover"
      >
        <div className={`h-full ${isSpent ? 'bg-bad' : 'bg-accent'}`} style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  )
}
