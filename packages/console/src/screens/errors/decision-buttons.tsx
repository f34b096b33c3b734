import { useState } from 'react'
import type { IssueDecision } from '../../api/issues.ts'
import { usePeople } from '../../features/people/use-people.ts'
import { useAccount, useMayHere } from '../../shell/account.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu, MenuItem, MenuLabel, MenuLine } from '../../ui/overlay/menu.tsx'
import { Avatar } from '../../ui/tag.tsx'
import { IgnoreUntil } from './ignore-until.tsx'
import type { Decidable, Deciding } from './use-deciding.ts'

type DecisionButtonsProps = { issues: readonly Decidable[]; deciding: Deciding }

const day = 24 * 3_600_000
const ignoreSpans = [
  { label: 'For a day', done: 'ignored for a day', span: day },
  { label: 'For a week', done: 'ignored for a week', span: 7 * day },
  { label: 'For 30 days', done: 'ignored for 30 days', span: 30 * day },
]

/** The decisions possible for these issues. Without permission, they are disabled with the reason. */
export function DecisionButtons({ issues, deciding }: DecisionButtonsProps) {
  const mayDecide = useMayHere('issues.resolve')
  const { decide, isBusy } = deciding
  const [isChoosing, setChoosing] = useState(false)
  const open = issues.filter(({ state }) => state === 'unresolved' || state === 'regressed')
  const closed = issues.filter(({ state }) => state === 'resolved' || state === 'ignored')
  const off = mayDecide
    ? {}
    : { disabled: true, title: 'Read-only: editors resolve, ignore and assign errors.' }
  const decideAll = (some: readonly Decidable[], decision: IssueDecision, done: string) => () =>
    decide(some, decision, done)

  return (
    <>
      {open.length > 0 && (
        <>
          <Button
            icon="check"
            busy={isBusy}
            title="Errors from this version are ignored. An error from a later version reopens the issue as regressed."
            {...off}
            onClick={decideAll(open, { state: 'resolved' }, 'resolved')}
          >
            Resolve
          </Button>
          <Menu trigger={<MenuButton {...off}>Ignore</MenuButton>}>
            {ignoreSpans.map(({ label, done, span }) => (
              <MenuItem
                key={label}
                onSelect={() =>
                  decide(
                    open,
                    { state: 'ignored', ignoredUntil: new Date(Date.now() + span).toISOString() },
                    done,
                  )
                }
              >
                {label}
              </MenuItem>
            ))}
            <MenuItem onSelect={() => setChoosing(true)}>Until a day…</MenuItem>
            <MenuLine />
            <MenuItem onSelect={decideAll(open, { state: 'ignored' }, 'ignored')}>Until reopened</MenuItem>
          </Menu>
        </>
      )}
      {closed.length > 0 && (
        <Button
          icon="undo"
          busy={isBusy}
          {...off}
          onClick={decideAll(closed, { state: 'unresolved' }, 'reopened')}
        >
          Reopen
        </Button>
      )}
      <AssignMenu issues={issues} off={off} deciding={deciding} />
      {isChoosing && (
        <IgnoreUntil
          count={open.length}
          onIgnore={(ignoredUntil, day) =>
            decide(open, { state: 'ignored', ignoredUntil }, `ignored until ${day}`)
          }
          onClose={() => setChoosing(false)}
        />
      )}
    </>
  )
}

type Off = { disabled?: boolean; title?: string }

function AssignMenu({ issues, deciding, off }: DecisionButtonsProps & { off: Off }) {
  const { project } = useScope()
  const { user } = useAccount()
  const people = usePeople(project)
  const assign = (id: string | null, done: string) => () => deciding.decide(issues, { assignee: id }, done)
  const others = people.filter(({ id }) => id !== user.id)
  const isSomebodys = issues.some(({ assignee }) => assignee !== null)

  return (
    <Menu align="end" trigger={<MenuButton {...off}>Assign</MenuButton>}>
      <MenuLabel>Assignee</MenuLabel>
      <MenuItem onSelect={assign(user.id, 'yours')}>
        <Avatar name={user.name} /> Me
      </MenuItem>
      {others.map(({ id, name }) => (
        <MenuItem key={id} onSelect={assign(id, `assigned to ${name}`)}>
          <Avatar name={name} />
          <span className="min-w-0 truncate">{name}</span>
        </MenuItem>
      ))}
      {isSomebodys && (
        <>
          <MenuLine />
          <MenuItem icon="close" onSelect={assign(null, "nobody's")}>
            Unassigned
          </MenuItem>
        </>
      )}
    </Menu>
  )
}

function MenuButton({ children, ...rest }: Off & { children: string }) {
  return (
    <button
      type="button"
      {...rest}
      className={`${buttonClass()} disabled:border-line-strong disabled:bg-sunken`}
    >
      {children}
      <Icon name="down" className="size-16 text-text-2" />
    </button>
  )
}
