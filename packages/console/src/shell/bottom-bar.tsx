import { Link, useLocation, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Sheet } from '../ui/overlay/sheet.tsx'
import { AccountMenu } from './account-menu.tsx'
import { useNavigation } from './navigation.ts'
import { ProjectMenu } from './project-menu.tsx'
import { MainNav } from './side-bar.tsx'

const itemClass =
  'flex cursor-pointer flex-col items-center justify-center gap-2 text-11 text-text-2 -outline-offset-2 aria-[current=page]:font-strong aria-[current=page]:text-accent'

/** Shown beside More, with room for at most four. */
const preferred = ['Overview', 'Flags', 'Sessions', 'Errors']

/** The navigation below 720 px: the four most used screens, and the others behind More. */
export function BottomBar({ onPalette }: { onPalette: () => void }) {
  const { project } = useParams({ strict: false })
  const address = useLocation({ select: ({ pathname }) => pathname })
  // Navigation closes it.
  const [openAt, setOpenAt] = useState<string>()
  const isOpen = openAt === address
  const targets = useNavigation()
  const shown = [
    ...targets.filter(({ label }) => preferred.includes(label)),
    ...targets.filter(({ label }) => !preferred.includes(label)),
  ].slice(0, 4)

  return (
    <>
      <nav
        aria-label="Main"
        className="fixed inset-x-0 bottom-0 z-30 grid h-[56px] auto-cols-fr grid-flow-col border-line border-t bg-surface wide:hidden"
      >
        {project === undefined && (
          <Link to="/" activeOptions={{ exact: true }} className={itemClass}>
            <Icon name="project" className="size-20" />
            Projects
          </Link>
        )}
        {project !== undefined &&
          shown.map((target) => (
            <Link
              key={target.to}
              to={target.to}
              params={{ project }}
              activeOptions={{ exact: target.to === '/p/$project', includeSearch: false }}
              className={itemClass}
            >
              <Icon name={target.icon} className="size-20" />
              {target.label}
            </Link>
          ))}
        <button type="button" className={itemClass} aria-haspopup="dialog" onClick={() => setOpenAt(address)}>
          <Icon name="menu" className="size-20" />
          More
        </button>
      </nav>
      {isOpen && (
        <Sheet title="Telltale" onClose={() => setOpenAt(undefined)}>
          <div className="grid gap-12">
            <ProjectMenu small={false} />
            <Button
              icon="search"
              onClick={() => {
                setOpenAt(undefined)
                onPalette()
              }}
            >
              Jump to…
            </Button>
            <MainNav small={false} onGo={() => setOpenAt(undefined)} />
            <AccountMenu small={false} />
          </div>
        </Sheet>
      )}
    </>
  )
}
