import { limits } from '@telltale/core/limits'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { KeyCap } from '../../../ui/form/field.tsx'
import { useShortcut } from '../../../ui/keyboard.tsx'
import type { Draft, RuleDraft } from './draft.ts'
import type { ChangeDraft } from './draft-panel.ts'
import {
  duplicateRule,
  moveRule,
  newRule,
  newRuleId,
  removeRule,
  replaceRule,
  ruleName,
  withRule,
} from './edit-rules.ts'
import { type DraftFault, faultsUnder } from './faults.ts'
import { RuleCard } from './rule-card.tsx'
import { Section } from './section.tsx'
import { useTargeting } from './targeting-context.ts'
import { useRuleDrag } from './use-rule-drag.ts'

type RulesPanelProps = {
  draft: Draft
  base: Draft
  faults: readonly DraftFault[]
  onChange: ChangeDraft
}

export function RulesPanel({ draft, base, faults, onChange }: RulesPanelProps) {
  const { readOnly, variations } = useTargeting()
  const { rules } = draft
  const [openIds, setOpenIds] = useState<ReadonlySet<string>>(new Set())
  const [announcement, setAnnouncement] = useState('')
  const { list, drag, handleOf } = useRuleDrag(({ id, to }) => move(id, to))
  const focusRule = useRuleFocus(list)
  const isFull = rules.length >= limits.rulesPerFlag
  // A rule with a fault stays open until it is fixed.
  const isFaulty = ({ id }: RuleDraft) => faultsUnder(faults, `/rules/${id}`).length > 0
  const mayAdd = readOnly === undefined && !isFull

  const setOpen = (id: string, open: boolean) => {
    const next = new Set(openIds)
    if (open) next.add(id)
    else next.delete(id)
    setOpenIds(next)
  }

  function move(id: string, to: number) {
    const rule = rules.find((one) => one.id === id)
    const place = Math.max(0, Math.min(to, rules.length - 1))
    if (!rule || rules.indexOf(rule) === place) return
    onChange((now) => moveRule(now, { id, to: place }))
    setAnnouncement(`${ruleName(rule, rules)} moved to position ${place + 1} of ${rules.length}.`)
    focusRule(id, 'handle')
  }

  function add() {
    const id = newRuleId()
    const other = variations.find(({ key }) => key !== draft.offVariation) ?? variations[0]
    onChange((now) => withRule(now, newRule(id, { variation: other?.key ?? draft.offVariation })))
    setOpen(id, true)
    focusRule(id, 'field')
  }

  function duplicate(rule: RuleDraft) {
    const copyId = newRuleId()
    onChange((now) => duplicateRule(now, { id: rule.id, copyId }))
    setAnnouncement(`${ruleName(rule, rules)} duplicated.`)
    focusRule(copyId, 'handle')
  }

  function remove(rule: RuleDraft) {
    const index = rules.indexOf(rule)
    const neighbour = rules[index + 1] ?? rules[index - 1]
    onChange((now) => removeRule(now, rule.id))
    setAnnouncement(`${ruleName(rule, rules)} deleted.`)
    if (neighbour) focusRule(neighbour.id, 'handle')
  }

  useShortcut(mayAdd ? { keys: 'a', label: 'Add rule', run: add } : undefined)

  return (
    <Section title="Rules" note="first match wins">
      <div className="rounded-panel border border-line bg-surface">
        <ol ref={list} aria-label="Rules, in evaluation order">
          {rules.map((rule, index) => (
            <RuleCard
              key={rule.id}
              rule={rule}
              rules={rules}
              saved={base.rules.find(({ id }) => id === rule.id)}
              isOpen={readOnly === undefined && (openIds.has(rule.id) || isFaulty(rule))}
              faults={faultsUnder(faults, `/rules/${rule.id}`)}
              handle={handleOf(rule.id, index)}
              line={drag ? lineOf(drag, rules, index) : undefined}
              isDragged={drag?.id === rule.id}
              actions={{
                open: (open) => setOpen(rule.id, open),
                change: (next, about) => onChange((now) => replaceRule(now, next), about),
                move: (to) => move(rule.id, to),
                duplicate: isFull ? undefined : () => duplicate(rule),
                remove: () => remove(rule),
              }}
            />
          ))}
        </ol>
        {rules.length === 0 && (
          <p className="px-14 py-10 text-text-2">No rules. Everyone gets the default below.</p>
        )}
        {readOnly === undefined && (
          <div className={`px-10 py-6 ${rules.length > 0 ? '' : 'border-line border-t'}`}>
            <Button look="quiet" icon="plus" onClick={add} disabled={isFull}>
              Add rule <KeyCap>a</KeyCap>
            </Button>
            {isFull && <span className="text-12 text-text-3">{limits.rulesPerFlag} rules at most.</span>}
          </div>
        )}
      </div>
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </Section>
  )
}

/** Drop indicator above or below the rule at this index. */
function lineOf(
  drag: { id: string; to: number },
  rules: readonly RuleDraft[],
  index: number,
): 'above' | 'below' | undefined {
  const from = rules.findIndex(({ id }) => id === drag.id)
  if (drag.to === from || index === from) return undefined
  const place = index < from ? index : index - 1
  if (place === drag.to) return 'above'
  return place === drag.to - 1 && drag.to === rules.length - 1 ? 'below' : undefined
}

/** Restores the focus after a rule has moved, and focuses a new one. */
function useRuleFocus(list: { readonly current: HTMLElement | null }) {
  const wanted = useRef<{ id: string; part: 'handle' | 'field' }>(undefined)
  useEffect(() => {
    if (!wanted.current) return
    const { id, part } = wanted.current
    const rule = list.current?.querySelector(`[data-rule="${CSS.escape(id)}"]`)
    const target = rule?.querySelector<HTMLElement>(part === 'handle' ? '[data-handle]' : 'input')
    if (!target) return
    wanted.current = undefined
    target.focus()
  })
  return (id: string, part: 'handle' | 'field') => {
    wanted.current = { id, part }
  }
}
