import { isSame } from '@telltale/core/changes/same'
import { limits } from '@telltale/core/limits'
import { type DOMAttributes, type KeyboardEvent, memo } from 'react'
import { Button, IconButton } from '../../../ui/button.tsx'
import { ConditionsView } from '../../../ui/conditions/condition-view.tsx'
import { ConditionsEditor } from '../../../ui/conditions/conditions-editor.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Menu, MenuItem, MenuLine } from '../../../ui/overlay/menu.tsx'
import { Badge } from '../../../ui/tag.tsx'
import type { RuleDraft } from './draft.ts'
import { ruleName } from './edit-rules.ts'
import type { DraftFault } from './faults.ts'
import { GuardedServe, servedNow } from './guarded-serve.tsx'
import { ServeEditor } from './serve-editor.tsx'
import { ServeView } from './serve-view.tsx'
import { useTargeting } from './targeting-context.ts'

interface RuleActions {
  readonly open: (open: boolean) => void
  readonly change: (rule: RuleDraft, about?: string) => void
  readonly move: (to: number) => void
  /** Undefined when the limit of rules is reached. */
  readonly duplicate: (() => void) | undefined
  readonly remove: () => void
}

type RuleCardProps = {
  rule: RuleDraft
  rules: readonly RuleDraft[]
  /** As saved; undefined for a new one. */
  saved: RuleDraft | undefined
  isOpen: boolean
  faults: readonly DraftFault[]
  handle: DOMAttributes<HTMLButtonElement>
  /** The drop position of the dragged rule. */
  line: 'above' | 'below' | undefined
  isDragged: boolean
  actions: RuleActions
}

const lines = {
  above: 'before:absolute before:inset-x-0 before:-top-1 before:h-2 before:bg-accent-fill',
  below: 'before:absolute before:inset-x-0 before:-bottom-1 before:h-2 before:bg-accent-fill',
}

/** Memoised: typing in one rule must not rerender a hundred others. */
const Conditions = memo(ConditionsView)

export function RuleCard(props: RuleCardProps) {
  const { rule, rules, saved, isOpen, faults, handle, line, isDragged, actions } = props
  const { readOnly, guarded } = useTargeting()
  const isEdited = !isSame(rule, saved)
  const rollout = guarded.get(rule.id)
  const index = rules.indexOf(rule)
  const name = ruleName(rule, rules)

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (!step || !event.altKey || readOnly !== undefined) return
    event.preventDefault()
    actions.move(index + step)
  }

  return (
    <li
      data-rule={rule.id}
      aria-label={`Rule ${index + 1}${rule.description ? `: ${rule.description}` : ''}`}
      onKeyDown={onKeyDown}
      className={`relative grid grid-cols-[24px_20px_minmax(0,1fr)_auto] items-start gap-x-4 border-line border-b px-8 py-8 ${line ? lines[line] : ''} ${isDragged ? 'opacity-60' : ''} ${isEdited ? 'shadow-[inset_2px_0_0_var(--accent-fill)]' : ''}`}
    >
      {readOnly === undefined ? (
        <button
          type="button"
          data-handle=""
          aria-label={`Move ${name}: position ${index + 1} of ${rules.length}`}
          title="Drag, or press Alt ↑ ↓"
          className="grid size-24 cursor-grab touch-none place-items-center rounded-control text-text-3 hover:bg-hover active:cursor-grabbing"
          {...handle}
        >
          <Icon name="drag" />
        </button>
      ) : (
        <span />
      )}
      <span aria-hidden="true" className="pt-2 text-right text-text-2 tabular-nums">
        {index + 1}
      </span>
      <div className="grid min-w-0 gap-8 pl-4">
        <div className="flex min-h-24 min-w-0 flex-wrap items-center gap-8">
          <h3 className="wrap-anywhere min-w-0 font-strong">{name}</h3>
          {isEdited && <Badge tone="accent">Edited</Badge>}
          {rollout && <Badge>Guarded rollout</Badge>}
        </div>
        {!isOpen && (
          <div className="flex min-w-0 flex-wrap items-start gap-x-16 gap-y-8">
            <div className="min-w-0 flex-1 basis-[36ch]">
              <Conditions value={rule.when} />
            </div>
            <ServeView serve={rollout && saved ? servedNow(saved.serve, rollout) : rule.serve} />
          </div>
        )}
      </div>
      {readOnly === undefined && <RuleButtons {...props} name={name} index={index} />}
      {isOpen && (
        <div className="col-start-3 col-end-5 min-w-0 pt-8 pr-8 pl-4 max-wide:col-start-1">
          <RuleEditor rule={rule} saved={saved} faults={faults} actions={actions} />
        </div>
      )}
    </li>
  )
}

function RuleButtons({
  rules,
  isOpen,
  actions,
  name,
  index,
}: RuleCardProps & { name: string; index: number }) {
  return (
    <span className="flex items-center">
      <Button
        look="quiet"
        size="small"
        aria-expanded={isOpen}
        aria-label={`${isOpen ? 'Close' : 'Edit'} ${name}`}
        onClick={() => actions.open(!isOpen)}
      >
        {isOpen ? 'Close' : 'Edit'}
      </Button>
      <Menu align="end" trigger={<IconButton icon="more" label={`More for ${name}`} small />}>
        <MenuItem icon="up" disabled={index === 0} onSelect={() => actions.move(index - 1)}>
          Move up
        </MenuItem>
        <MenuItem icon="down" disabled={index === rules.length - 1} onSelect={() => actions.move(index + 1)}>
          Move down
        </MenuItem>
        <MenuItem icon="copy" disabled={!actions.duplicate} onSelect={() => actions.duplicate?.()}>
          Duplicate
        </MenuItem>
        <MenuLine />
        <MenuItem icon="trash" danger onSelect={actions.remove}>
          Delete
        </MenuItem>
      </Menu>
    </span>
  )
}

type RuleEditorProps = Pick<RuleCardProps, 'rule' | 'saved' | 'faults' | 'actions'>

function RuleEditor({ rule, saved, faults, actions }: RuleEditorProps) {
  const { attributes, segments } = useTargeting()
  const at = `/rules/${rule.id}`
  const own = faults.find(({ pointer }) => pointer === at || pointer === `${at}/description`)
  return (
    <div className="grid min-w-0 gap-14 pb-6">
      <div className="max-w-form">
        <Field
          label="Description"
          placeholder="For example, Staff"
          maxLength={limits.nameLength}
          autoComplete="off"
          value={rule.description}
          fault={own?.message}
          onChange={(event) =>
            actions.change({ ...rule, description: event.currentTarget.value }, `${at}/description`)
          }
        />
      </div>
      <ConditionsEditor
        value={rule.when}
        onChange={(when) => actions.change({ ...rule, when }, `${at}/when`)}
        errors={faults}
        pointer={`${at}/when`}
        attributes={attributes}
        segments={segments}
      />
      <GuardedServe
        place={rule.id}
        saved={saved?.serve ?? rule.serve}
        isEdited={!isSame(rule.serve, saved?.serve)}
      >
        <ServeEditor
          serve={rule.serve}
          onServe={(serve, about) => actions.change({ ...rule, serve }, about)}
          pointer={`${at}/serve`}
          faults={faults}
        />
      </GuardedServe>
    </div>
  )
}
