import { ruleText, serveText } from '@telltale/core/changes/config-text'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { DiffView } from '../../../ui/diff/diff-view.tsx'
import { Segmented } from '../../../ui/form/choice.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import type { Draft, RuleDraft } from './draft.ts'
import { useTargeting } from './targeting-context.ts'
import { type ChangedPart, type Choices, findChangedParts, mergeDrafts, type Side } from './three-way.ts'

type ConflictViewProps = {
  /** The base of the draft. */
  base: Draft
  mine: Draft
  theirs: Draft
  /** Continues with this draft on top of the saved version. */
  onMerged: (merged: Draft) => void
  onClose: () => void
}

const sides = [
  { value: 'mine', label: 'Mine' },
  { value: 'theirs', label: 'Theirs' },
] as const

/** Someone else saved first. Changes on one side are merged; conflicts are resolved part by part. */
export function ConflictView({ base, mine, theirs, onMerged, onClose }: ConflictViewProps) {
  const { envName, place } = useTargeting()
  const [choices, setChoices] = useState<Choices>({})
  const parts = findChangedParts(base, { mine, theirs })
  const conflicts = parts.filter(({ state }) => state === 'conflict')
  const open = conflicts.filter(({ id }) => choices[id] === undefined)
  const merged = mergeDrafts(base, { mine, theirs }, choices)
  const tooMany = merged.rules.length > limits.rulesPerFlag
  const choose = (side: Side) => setChoices(Object.fromEntries(conflicts.map(({ id }) => [id, side])))

  return (
    <Dialog
      title={`Someone else saved ${place.flag} in ${envName} first`}
      description="Your changes are kept, and theirs are not overwritten unless you choose to."
      size="wide"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Keep editing</Button>
          {conflicts.length > 1 && (
            <>
              <Button onClick={() => choose('theirs')}>Use all of theirs</Button>
              <Button onClick={() => choose('mine')}>Use all of mine</Button>
            </>
          )}
          <Button look="primary" disabled={open.length > 0 || tooMany} onClick={() => onMerged(merged)}>
            Review result
          </Button>
        </>
      }
    >
      <Notice
        tone={conflicts.length > 0 ? 'warn' : 'info'}
        title={
          conflicts.length === 0
            ? 'No conflicts between your changes and theirs'
            : `${conflicts.length === 1 ? '1 part was' : `${conflicts.length} parts were`} changed on both sides`
        }
        detail={
          conflicts.length === 0
            ? 'Both are kept. Review the result, then save.'
            : 'Choose for each of them. All other changes, theirs and yours, are kept.'
        }
      />
      {tooMany && (
        <Notice
          title={`Together these are ${merged.rules.length} rules`}
          detail={`At most ${limits.rulesPerFlag} are allowed. Keep editing and delete some.`}
        />
      )}
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-16">
        {parts.map((part) => (
          <li key={part.id}>
            <PartView
              part={part}
              choice={choices[part.id]}
              onChoice={(side) => setChoices({ ...choices, [part.id]: side })}
            />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

const stateWords = {
  mine: 'changed by you',
  theirs: 'changed by them',
  both: 'changed by both in the same way',
  conflict: 'changed by both',
}

type PartViewProps = { part: ChangedPart; choice: Side | undefined; onChoice: (side: Side) => void }

function PartView({ part, choice, onChoice }: PartViewProps) {
  const title = titleOf(part)
  const { base, mine, theirs } = textsOf(part)
  return (
    <section aria-label={title} className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <div className="flex flex-wrap items-center gap-8">
        <h3 className="wrap-anywhere min-w-0 font-strong">{title}</h3>
        <span className="text-12 text-text-3">{stateWords[part.state]}</span>
        {part.state === 'conflict' && (
          <span className="ml-auto">
            <Segmented<Side | 'open'>
              label={`Whose ${title}`}
              choices={sides}
              value={choice ?? 'open'}
              onValue={(side) => side !== 'open' && onChoice(side)}
            />
          </span>
        )}
      </div>
      {part.state === 'conflict' ? (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-8 wide:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
          <Version title="Theirs (saved)" before={base} after={theirs} isChosen={choice === 'theirs'} />
          <Version title="Mine (unsaved)" before={base} after={mine} isChosen={choice === 'mine'} />
        </div>
      ) : (
        <DiffView before={base} after={part.state === 'theirs' ? theirs : mine} label={`${title}: changes`} />
      )}
    </section>
  )
}

type VersionProps = { title: string; before: string; after: string; isChosen: boolean }

function Version({ title, before, after, isChosen }: VersionProps) {
  return (
    <div
      className={`grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-4 ${isChosen ? '' : 'opacity-90'}`}
    >
      <span className="text-12 text-text-2">
        {title}
        {isChosen && <b className="font-strong text-text"> · kept</b>}
      </span>
      {after === '' ? (
        <p className="rounded-control border border-line px-14 py-6 text-text-2">Removed</p>
      ) : (
        <DiffView before={before} after={after} label={title} />
      )}
    </div>
  )
}

function titleOf(part: ChangedPart): string {
  switch (part.kind) {
    case 'enabled':
      return 'State'
    case 'offVariation':
      return 'Variation when off'
    case 'prerequisites':
      return 'Prerequisites'
    case 'fallthrough':
      return 'Everyone else'
    case 'order':
      return 'Order of the rules'
    case 'rule':
      return `Rule “${(part.mine ?? part.theirs ?? part.base)?.description || 'without a description'}”`
  }
}

/** The base and both versions of the part, as text for a diff. */
function textsOf(part: ChangedPart): Record<'base' | Side, string> {
  switch (part.kind) {
    case 'rule':
      return { base: textOfRule(part.base), mine: textOfRule(part.mine), theirs: textOfRule(part.theirs) }
    case 'order':
      return { base: orderText(part.base), mine: orderText(part.mine), theirs: orderText(part.theirs) }
    default: {
      const text = plainText(part.kind)
      return { base: text(part.base), mine: text(part.mine), theirs: text(part.theirs) }
    }
  }
}

type Plain = Exclude<ChangedPart['kind'], 'rule' | 'order'>

function plainText(kind: Plain): (draft: Pick<Draft, Plain>) => string {
  switch (kind) {
    case 'enabled':
      return ({ enabled }) => (enabled ? 'on' : 'off')
    case 'offVariation':
      return ({ offVariation }) => `serve ${offVariation}`
    case 'prerequisites':
      return ({ prerequisites }) =>
        prerequisites.map(({ flag, variation }) => `${flag} serves ${variation}`).join('\n') || 'none'
    case 'fallthrough':
      return ({ fallthrough }) => serveText(fallthrough)
  }
}

function textOfRule(rule: RuleDraft | undefined): string {
  return rule ? ruleText(rule) : ''
}

function orderText(rules: readonly RuleDraft[]): string {
  return rules.map(({ description }, index) => description || `Rule ${index + 1}`).join('\n')
}
