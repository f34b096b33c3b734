import { Link, useParams } from '@tanstack/react-router'
import { Icon } from '../ui/icon.tsx'
import { Mark } from '../ui/mark.tsx'
import { Menu, MenuLabel, MenuLine, MenuLink } from '../ui/overlay/menu.tsx'
import { useAccount } from './account.ts'

/** Selects the project. */
export function ProjectMenu({ small }: { small: boolean }) {
  const { projects } = useAccount()
  const { project: key } = useParams({ strict: false })
  const current = projects.find((project) => project.key === key)
  const name = current?.name ?? key ?? 'Telltale'

  return (
    <Menu
      trigger={
        <button
          type="button"
          className={`flex h-40 shrink-0 cursor-pointer items-center gap-8 rounded-control text-left hover:bg-hover ${small ? 'justify-center' : 'px-8'}`}
        >
          <Mark />
          <span className="sr-only">{small ? `Project: ${name}` : 'Project: '}</span>
          {!small && (
            <>
              <span className="grid min-w-0 flex-1">
                <b className="truncate font-strong">{name}</b>
                {key !== undefined && <span className="truncate text-11 text-text-3">{key}</span>}
              </span>
              <Icon name="down" className="size-16 text-text-2" />
            </>
          )}
        </button>
      }
    >
      {projects.length > 0 && <MenuLabel>Projects</MenuLabel>}
      {projects.map((project) => (
        <MenuLink key={project.key}>
          <Link to="/p/$project" params={{ project: project.key }} search={{}}>
            <span className="min-w-0 flex-1 truncate">{project.name}</span>
            {project.key === key && <Icon name="check" className="size-16 text-accent" />}
          </Link>
        </MenuLink>
      ))}
      {projects.length > 0 && <MenuLine />}
      <MenuLink>
        <Link to="/">
          <Icon name="project" className="size-16 text-text-3" />
          All projects
        </Link>
      </MenuLink>
    </Menu>
  )
}
