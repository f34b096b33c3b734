import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ConfigVersion, versionsQuery } from '../../../api/flags.ts'
import { CommentsPanel } from '../../../features/comments/comments-panel.tsx'
import { useScope } from '../../../shell/scope-context.ts'
import { useShortcut } from '../../../ui/keyboard.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Async } from '../../../ui/states.tsx'
import { useConfigRef } from '../flag-context.ts'
import type { HistorySearch } from './history-search.ts'
import { VersionList } from './version-list.tsx'
import { VersionView } from './version-view.tsx'

/** Every version of the flag's configuration in the environment: author, reason and diff. */
export function HistoryTab() {
  const { environment } = useScope()
  const place = useConfigRef()
  const versions = useInfiniteQuery(versionsQuery(place))
  const search = useSearch({ from: '/p/$project/flags/$flag/history' })
  const navigate = useNavigate({ from: '/p/$project/flags/$flag/history' })
  const set = (change: HistorySearch) =>
    void navigate({ search: (now) => ({ ...now, ...change }), replace: true })

  const rows: readonly ConfigVersion[] = (versions.data?.pages ?? []).flatMap(({ items }) => items)
  const newest = rows[0]?.version ?? 0
  const shown = search.v ?? newest
  const walk = (step: number) => {
    const at = rows.findIndex(({ version }) => version === shown)
    const next = rows[Math.min(Math.max(at + step, 0), rows.length - 1)]
    if (next) set({ v: next.version, with: undefined })
  }
  useShortcut({ keys: 'j', label: 'Older version', run: () => walk(1) })
  useShortcut({ keys: 'k', label: 'Newer version', run: () => walk(-1) })

  return (
    <Async of={versions} isEmpty={() => false}>
      {() => (
        <div className="grid min-w-0 items-start gap-16 full:grid-cols-[320px_minmax(0,1fr)]">
          <Panel title="Versions" note={`in ${environment.name}`} flush>
            <VersionList versions={rows} shown={shown} newest={newest} more={versions} />
          </Panel>
          <VersionView
            // Another flag or environment has a separate history.
            key={place.env}
            place={place}
            version={shown}
            against={search.with ?? shown - 1}
            newest={newest}
            known={rows}
            onAgainst={(version) => set({ v: shown, with: version })}
            onRestored={() => set({ v: undefined, with: undefined })}
          />
          <div className="full:col-span-2">
            <CommentsPanel on={{ kind: 'flag', subject: place.flag }} />
          </div>
        </div>
      )}
    </Async>
  )
}
