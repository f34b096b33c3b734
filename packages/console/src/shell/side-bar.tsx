import { Link, useParams } from '@tanstack/react-router'
import { IconButton } from '../ui/button.tsx'
import { KeyCap } from '../ui/form/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { keyCaps } from '../ui/keyboard.tsx'
import { Tooltip } from '../ui/overlay/tooltip.tsx'
import { AccountMenu } from './account-menu.tsx'
import { InboxCount } from './inbox-count.tsx'
import { type NavTarget, useNavigation } from './navigation.ts'
import { ProjectMenu } from './project-menu.tsx'
import { PinnedViews } from './saved-views/pinned-views.tsx'
import { switchTheme } from './theme.ts'

type SideBarProps = {
  small: boolean
  onSmall: (small: boolean) => void
  onPalette: () => void
  onKeys: () => void
}

export function SideBar({ small, onSmall, onPalette, onKeys }: SideBarProps) {
  return (
    <div
      className={`sticky top-0 flex h-dvh flex-col gap-8 overflow-y-auto border-line border-r bg-canvas p-8 max-wide:hidden ${small ? 'w-side-small' : 'w-side'}`}
    >
      <ProjectMenu small={small} />
      {small ? (
        <IconButton icon="search" label="Jump to" onClick={onPalette} />
      ) : (
        <button
          type="button"
          onClick={onPalette}
          className="flex h-ctl shrink-0 cursor-pointer items-center gap-8 rounded-control border border-line-strong bg-surface px-8 text-text-3 hover:bg-hover"
        >
          <Icon name="search" />
          <span className="flex-1 text-left">Jump to…</span>
          <KeyCap>{keyCaps('mod+k')[0]}</KeyCap>
        </button>
      )}
      <MainNav small={small} />
      <div className={`mt-auto flex items-center gap-2 ${small ? 'flex-col' : ''}`}>
        <AccountMenu small={small} onSmall={onSmall} />
        <IconButton icon="theme" label="Theme (t)" onClick={switchTheme} />
        <Tooltip text="Keyboard shortcuts">
          <button
            type="button"
            aria-label="Keyboard shortcuts (?)"
            onClick={onKeys}
            className="grid size-ctl shrink-0 cursor-pointer place-items-center rounded-control hover:bg-hover"
          >
            <KeyCap always>?</KeyCap>
          </button>
        </Tooltip>
      </div>
    </div>
  )
}

export function MainNav({ small, onGo }: { small: boolean; onGo?: () => void }) {
  const { project } = useParams({ strict: false })
  const targets = useNavigation()
  if (project === undefined) {
    return (
      <nav aria-label="Main" className="grid gap-1">
        <NavLink
          target={{ label: 'Projects', icon: 'project', to: '/' }}
          project=""
          small={small}
          {...(onGo ? { onGo } : {})}
        />
      </nav>
    )
  }

  return (
    <nav aria-label="Main" className="grid gap-1">
      {targets.map((target, index) => (
        <div key={target.to} className="contents">
          {target.group && target.group !== targets[index - 1]?.group && (
            <GroupLabel small={small}>{target.group}</GroupLabel>
          )}
          <NavLink target={target} project={project} small={small} {...(onGo ? { onGo } : {})} />
        </div>
      ))}
      <PinnedViews project={project} small={small} onGo={onGo} />
    </nav>
  )
}

function GroupLabel({ small, children }: { small: boolean; children: string }) {
  if (small) return <span aria-hidden="true" className="mx-8 my-6 border-line border-t" />
  return <span className="px-8 pt-12 pb-4 text-11 text-text-3">{children}</span>
}

type NavLinkProps = { target: NavTarget; project: string; small: boolean; onGo?: () => void }

function NavLink({ target, project, small, onGo }: NavLinkProps) {
  const link = (
    <Link
      to={target.to}
      params={{ project }}
      activeOptions={{ exact: target.to === '/' || target.to === '/p/$project', includeSearch: false }}
      {...(onGo ? { onClick: onGo } : {})}
      className={`group relative flex h-ctl items-center gap-8 rounded-control px-8 font-medium text-text-2 hover:bg-hover aria-[current=page]:bg-selected aria-[current=page]:text-text ${small ? 'justify-center' : ''}`}
    >
      <Icon name={target.icon} className="size-16 text-text-3 group-aria-[current=page]:text-accent" />
      <span className={small ? 'sr-only' : ''}>{target.label}</span>
      {target.count && <InboxCount project={project} small={small} />}
    </Link>
  )
  if (!small) return link
  return (
    <Tooltip text={target.label} side="right">
      {link}
    </Tooltip>
  )
}
