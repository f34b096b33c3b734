import { useQuery } from '@tanstack/react-query'
import { type CodeState, codeStateQuery } from '../../../api/flags-as-code.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { SectionScreen } from '../../../shell/section-screen.tsx'
import { DocsLink } from '../../../ui/docs-link.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Async, Empty } from '../../../ui/states.tsx'
import type { Column } from '../../../ui/table/column.ts'
import { PlainTable } from '../../../ui/table/plain-table.tsx'
import { TimeAgo } from '../../../ui/text/time.tsx'
import { Drift } from './drift.tsx'

type Source = CodeState['sources'][number]

/** The folders that were applied to the project, and what was changed elsewhere since. */
export function CodeScreen() {
  const { project } = useScope()
  const state = useQuery(codeStateQuery(project))
  return (
    <SectionScreen
      of="settings"
      title="Flags as code"
      lead="Flags, segments, metrics, rollout templates, alerts and dashboards that are files in a repository."
    >
      <Async
        of={state}
        isEmpty={({ sources }) => sources.length === 0}
        empty={
          <Empty
            title="Nothing is managed in code"
            action={<DocsLink page="guides/flags-as-code">Read the guide</DocsLink>}
          >
            Write this project as files with <code>telltale export</code>, and apply them in your pipeline
            with <code>telltale apply</code>.
          </Empty>
        }
      >
        {({ sources, drift, moreDrift }) => (
          <div className="grid min-w-0 gap-24">
            <Panel title="Folders" flush>
              <PlainTable label="Folders" rows={sources} rowId={nameOf} columns={columns} />
            </Panel>
            <Drift changes={drift} more={moreDrift} />
          </div>
        )}
      </Async>
    </SectionScreen>
  )
}

const nameOf = ({ repository, path }: Source) => `${repository}:${path}`

const columns: readonly Pick<Column<Source>, 'id' | 'header' | 'cell' | 'align'>[] = [
  {
    id: 'folder',
    header: 'Folder',
    cell: ({ repository, path }) => (
      <span className="grid min-w-0 py-4">
        <code className="truncate">{path === '' ? '.' : path}</code>
        {repository !== '' && <span className="truncate text-12 text-text-3">{repository}</span>}
      </span>
    ),
  },
  { id: 'entries', header: 'Entries', align: 'end', cell: ({ entries }) => entries },
  {
    id: 'commit',
    header: 'Commit',
    cell: ({ commit, branch }) => (
      <span className="grid">
        <code>{commit === '' ? '–' : commit.slice(0, 8)}</code>
        {branch !== '' && <span className="max-w-menu truncate text-12 text-text-3">{branch}</span>}
      </span>
    ),
  },
  {
    id: 'applied',
    header: 'Applied',
    cell: ({ appliedAt, appliedBy }) => (
      <span className="grid">
        <TimeAgo at={appliedAt} />
        <span className="text-12 text-text-3">{appliedBy}</span>
      </span>
    ),
  },
]
