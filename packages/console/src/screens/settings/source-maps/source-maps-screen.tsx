import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { toProblem } from '../../../api/problem.ts'
import { deleteSourceMap, type SourceMap, sourceMapsKey, sourceMapsQuery } from '../../../api/source-maps.ts'
import { useMay } from '../../../shell/account.ts'
import { MayNotice } from '../../../shell/may-notice.tsx'
import { usePaletteEntries } from '../../../shell/palette/registry.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { SectionScreen } from '../../../shell/section-screen.tsx'
import { Button } from '../../../ui/button.tsx'
import { FilterBar } from '../../../ui/filter/filter-bar.tsx'
import { useShortcut } from '../../../ui/keyboard.tsx'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { showToast } from '../../../ui/overlay/toast.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Async, Empty } from '../../../ui/states.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { FromPipeline } from './from-pipeline.tsx'
import { mapColumns } from './map-columns.tsx'
import type { SourceMapsSearch } from './source-maps-search.ts'
import { UploadMaps } from './upload-maps.tsx'

/** Source maps of the deployed releases, and how to upload them from a pipeline. */
export function SourceMapsScreen() {
  const { project } = useScope()
  const search = useSearch({ from: '/p/$project/settings/source-maps' })
  const navigate = useNavigate({ from: '/p/$project/settings/source-maps' })
  const maps = useInfiniteQuery(sourceMapsQuery(project, { q: search.q, version: search.of }))
  const mayManage = useMay('source-maps.manage')
  const [leaving, setLeaving] = useState<SourceMap>()
  const set = (change: SourceMapsSearch, replace = false) =>
    void navigate({ search: (now) => ({ ...now, ...change }), replace, resetScroll: false })
  const upload = () => set({ upload: true })
  useShortcut(mayManage ? { keys: 'c', label: 'Upload source maps', run: upload } : undefined)
  usePaletteEntries(
    mayManage
      ? [{ id: 'upload-maps', group: 'Do', icon: 'plus', label: 'Upload source maps', run: upload }]
      : [],
  )

  const pages = maps.data?.pages
  const rows = useMemo(() => (pages ?? []).flatMap(({ items }) => items), [pages])
  const columns = useMemo(
    () =>
      mapColumns({
        onVersion: (of) => void navigate({ search: (now) => ({ ...now, of }) }),
        onDelete: mayManage ? setLeaving : undefined,
      }),
    [mayManage, navigate],
  )
  const isFiltered = search.q !== undefined || search.of !== undefined
  const uploadButton = (
    <Button
      look="primary"
      icon="plus"
      onClick={upload}
      disabled={!mayManage}
      title={mayManage ? undefined : 'Read-only: editors upload source maps.'}
    >
      Upload
    </Button>
  )

  return (
    <SectionScreen
      of="settings"
      title="Source maps"
      lead="With source maps, stack traces show your original code instead of minified scripts. They also apply to earlier errors."
      actions={uploadButton}
    >
      <MayNotice permission="source-maps.manage" />
      {(rows.length > 0 || isFiltered) && (
        <FilterBar
          label="Filter by path"
          text={search.q ?? ''}
          onText={(q) => set({ q: q || undefined })}
          note={maps.data && countOfRows(rows.length, !maps.hasNextPage)}
        >
          {search.of !== undefined && (
            <Button icon="close" onClick={() => set({ of: undefined })} aria-label="Every version">
              Version <code>{search.of === '' ? 'any' : search.of}</code>
            </Button>
          )}
        </FilterBar>
      )}
      <Async
        of={maps}
        isEmpty={() => rows.length === 0}
        empty={
          <Panel>
            {isFiltered ? (
              <Empty
                title="No matching source maps"
                action={
                  <Button onClick={() => set({ q: undefined, of: undefined })}>Clear the filter</Button>
                }
              />
            ) : (
              <Empty title="No source maps yet">
                Without source maps, stack traces show minified code. Upload them with every build, as shown
                below, or upload files here.
              </Empty>
            )}
          </Panel>
        }
      >
        {() => (
          <DataTable
            label="Source maps"
            rows={rows}
            rowId={({ id }) => id}
            columns={columns}
            more={maps}
            sorted
          />
        )}
      </Async>
      <FromPipeline project={project} version={rows[0]?.version ?? ''} />
      {search.upload && mayManage && (
        <UploadMaps project={project} onClose={() => set({ upload: undefined }, true)} />
      )}
      {leaving && <DeleteMap project={project} map={leaving} onClose={() => setLeaving(undefined)} />}
    </SectionScreen>
  )
}

function countOfRows(count: number, isAll: boolean): string {
  const maps = count === 1 ? '1 map' : `${count.toLocaleString('en-GB')} maps`
  return isAll ? maps : `the newest ${maps}`
}

type DeleteMapProps = { project: string; map: SourceMap; onClose: () => void }

function DeleteMap({ project, map, onClose }: DeleteMapProps) {
  const queryClient = useQueryClient()
  const deletion = useMutation({
    mutationFn: () => deleteSourceMap({ project, sourceMap: map.id }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: sourceMapsKey(project) })
      onClose()
      showToast({ text: `Source map of ${map.file} deleted.` })
    },
  })
  const version = map.version === '' ? 'any version' : `version ${map.version}`

  return (
    <ConfirmDialog
      title={`Delete source map of ${map.file}`}
      consequence={`Map for ${version}. Stack traces through this script show minified code again. You can upload the map again.`}
      verb="Delete map"
      busy={deletion.isPending}
      problem={deletion.error && toProblem(deletion.error)}
      onConfirm={() => deletion.mutate()}
      onClose={onClose}
    />
  )
}
