import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { type Project, projectsQuery } from '../../api/projects.ts'
import { telltalesQuery } from '../../api/telltales.ts'
import { TelltalePicture } from '../../features/telltale/flag-telltale.tsx'
import { compareTelltales } from '../../features/telltale/telltale-words.ts'
import { useMay } from '../../shell/account.ts'
import { usePaletteEntries } from '../../shell/palette/registry.ts'
import { Screen } from '../../shell/screen.tsx'
import { Button } from '../../ui/button.tsx'
import { useShortcut } from '../../ui/keyboard.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async, Empty } from '../../ui/states.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { Badge } from '../../ui/tag.tsx'
import { TimeAgo } from '../../ui/text/time.tsx'
import { ImportFlagsmith } from './import-flagsmith.tsx'
import { NewProject } from './new-project.tsx'

export function ProjectsScreen() {
  const projects = useInfiniteQuery(projectsQuery)
  const mayCreate = useMay('projects.create')
  const { new: isCreating = false } = useSearch({ from: '/' })
  const navigate = useNavigate()
  const setCreating = (on: boolean) =>
    void navigate({ to: '/', search: { new: on || undefined }, replace: !on })
  const [isImporting, setImporting] = useState(false)
  const create = () => setCreating(true)
  const bringIn = () => setImporting(true)
  useShortcut(mayCreate ? { keys: 'c', label: 'New project', run: create } : undefined)
  usePaletteEntries(
    mayCreate
      ? [
          { id: 'new-project', group: 'Do', icon: 'plus', label: 'New project', run: create },
          { id: 'import-flagsmith', group: 'Do', icon: 'plus', label: 'Import from Flagsmith', run: bringIn },
        ]
      : [],
  )
  const newProject = (
    <>
      <Button onClick={bringIn}>Import from Flagsmith</Button>
      {mayCreate && (
        <Button look="primary" icon="plus" onClick={create}>
          New project
        </Button>
      )}
    </>
  )

  return (
    <Screen title="Projects" scope="none" actions={newProject}>
      <Panel flush>
        <Async
          of={projects}
          isEmpty={({ pages }) => pages.every(({ items }) => items.every(({ own }) => own))}
          empty={<NoProjects mayCreate={mayCreate} onCreate={create} />}
        >
          {({ pages }) => (
            <ul className="divide-y divide-line">
              {pages
                .flatMap(({ items }) => items)
                .toSorted((one, other) => Number(one.own) - Number(other.own))
                .map((project) => (
                  <ProjectRow key={project.id} project={project} />
                ))}
            </ul>
          )}
        </Async>
        <LoadMore of={projects} />
      </Panel>
      {isCreating && mayCreate && <NewProject onClose={() => setCreating(false)} />}
      {isImporting && <ImportFlagsmith onClose={() => setImporting(false)} />}
    </Screen>
  )
}

function ProjectRow({ project }: { project: Project }) {
  return (
    <li className="relative flex min-h-row-2 items-center gap-12 px-14 py-6 hover:bg-hover">
      <span className="grid min-w-0 flex-1">
        <Link
          to="/p/$project"
          params={{ project: project.key }}
          search={{}}
          className="truncate font-medium after:absolute after:inset-0"
        >
          {project.name}
        </Link>
        <code className="truncate text-text-3">{project.key}</code>
      </span>
      <WorstTelltale project={project.key} />
      {project.own && <Badge>Owners only</Badge>}
      {project.managed && <Badge>Managed</Badge>}
      <span className="w-[12ch] text-text-2 capitalize max-wide:hidden">{project.role}</span>
      <span className="w-[20ch] whitespace-nowrap text-right text-text-3 max-wide:hidden">
        created <TimeAgo at={project.createdAt} />
      </span>
    </li>
  )
}

/** The worst guarded flag in all environments of the project, if there is one. */
function WorstTelltale({ project }: { project: string }) {
  const telltales = useQuery(telltalesQuery({ project }))
  const [worst] = (telltales.data ?? []).toSorted(compareTelltales)
  if (worst === undefined) return null
  return (
    <span className="flex min-w-0 items-center gap-8">
      <code className="truncate text-12 text-text-2 max-wide:hidden">{worst.flag}</code>
      <TelltalePicture telltale={worst} />
    </span>
  )
}

function NoProjects({ mayCreate, onCreate }: { mayCreate: boolean; onCreate: () => void }) {
  if (!mayCreate) {
    return (
      <Empty title="No projects yet">
        You are not a member of any project. Ask a project admin for an invitation, or an owner to create one.
      </Empty>
    )
  }
  return (
    <Empty
      title="No projects yet"
      action={
        <Button look="primary" icon="plus" onClick={onCreate}>
          New project
        </Button>
      }
    >
      A project is usually one application or website. It starts with three environments and their keys.
    </Empty>
  )
}
