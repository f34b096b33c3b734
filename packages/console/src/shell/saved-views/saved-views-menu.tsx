import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { isView, withoutTime } from '@telltale/core/query/view-search'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { newIdempotencyKey } from '../../api/idempotency-key.ts'
import { toProblem } from '../../api/problem.ts'
import {
  createSavedView,
  deleteSavedView,
  markSavedView,
  type SavedView,
  savedViewsQuery,
  updateSavedView,
} from '../../api/saved-views.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu, MenuCheck, MenuItem, MenuLabel, MenuLine } from '../../ui/overlay/menu.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'
import { useMay } from '../account.ts'
import { useOpenView, useViewPlace } from './view-place.ts'

const SaveViewDialog = lazy(() =>
  import('./save-view-dialog.tsx').then(({ SaveViewDialog }) => ({ default: SaveViewDialog })),
)

/** The saved views of the screen. Nothing on screens without views. */
export function SavedViewsMenu() {
  const place = useViewPlace()
  return place && <MenuOf key={`${place.project} ${place.screen}`} place={place} />
}

type Place = NonNullable<ReturnType<typeof useViewPlace>>

function MenuOf({ place }: { place: Place }) {
  const { project, screen, search } = place
  const { data: all, isPending, isError, refetch } = useQuery(savedViewsQuery(project))
  const views = (all ?? []).filter((view) => view.screen === screen)
  const open = useOpenView(project)
  const [dialog, setDialog] = useState<'save' | 'rename'>()
  const [chosenId, setChosenId] = useState<string>()
  const current =
    views.find((view) => view.id === chosenId && isView(view.search, search)) ??
    views.find((view) => isView(view.search, search)) ??
    views.find(({ id }) => id === chosenId)
  const isModified = current !== undefined && !isView(current.search, search)
  useDefaultView(place, all)

  function choose(view: SavedView) {
    setChosenId(view.id)
    open(view)
  }

  return (
    <>
      <Menu
        align="end"
        trigger={
          <button
            type="button"
            className={buttonClass()}
            aria-label={`Views: ${current?.name ?? 'none'}${isModified ? ', modified' : ''}`}
          >
            <Icon name="filter" className="size-16 text-text-2" />
            <span className="max-w-[18ch] truncate max-full:sr-only">{current?.name ?? 'Views'}</span>
            {isModified && <span aria-hidden="true">*</span>}
            <Icon name="down" className="size-16 text-text-2 max-wide:hidden" />
          </button>
        }
      >
        {isError && (
          <MenuItem icon="undo" onSelect={() => void refetch()}>
            Views could not be loaded: try again
          </MenuItem>
        )}
        {isPending && <MenuLabel>Loading…</MenuLabel>}
        <ViewGroup
          label="Shared views"
          views={views.filter(({ shared }) => shared)}
          {...{ current, choose }}
        />
        <ViewGroup
          label="Your views"
          views={views.filter(({ shared }) => !shared)}
          {...{ current, choose }}
        />
        {all && views.length === 0 && <MenuLabel>No saved views yet</MenuLabel>}
        <MenuLine />
        <MenuItem icon="plus" disabled={search === ''} onSelect={() => setDialog('save')}>
          Save as new view…
        </MenuItem>
        {current && (
          <CurrentView
            view={current}
            place={place}
            isModified={isModified}
            onRename={() => setDialog('rename')}
          />
        )}
      </Menu>
      {dialog && (
        <Suspense>
          <SaveViewDialog
            place={place}
            view={dialog === 'rename' ? current : undefined}
            onSaved={({ id }) => setChosenId(id)}
            onClose={() => setDialog(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}

type ViewGroupProps = {
  label: string
  views: readonly SavedView[]
  current: SavedView | undefined
  choose: (view: SavedView) => void
}

function ViewGroup({ label, views, current, choose }: ViewGroupProps) {
  if (views.length === 0) return null
  return (
    <>
      <MenuLabel>{label}</MenuLabel>
      {views.map((view) => (
        <MenuItem key={view.id} onSelect={() => choose(view)}>
          <span className="min-w-0 max-w-[32ch] flex-1 truncate" title={view.name}>
            {view.name}
          </span>
          {view.isDefault && <span className="text-12 text-text-3">default</span>}
          {view === current && (
            <>
              <Icon name="check" className="size-16 text-accent" />
              <span className="sr-only">current</span>
            </>
          )}
        </MenuItem>
      ))}
    </>
  )
}

type CurrentViewProps = { view: SavedView; place: Place; isModified: boolean; onRename: () => void }

/** What can be done with the current view. */
function CurrentView({ view, place, isModified, onRename }: CurrentViewProps) {
  const { project, search } = place
  const mayShare = useMay('flags.change')
  const mayChange = mayShare || !view.shared
  const { run, isBusy } = useChangingViews(project)
  const ref = { project, savedView: view.id }
  const mark = (marks: { isDefault?: boolean; isPinned?: boolean }) =>
    run(() => markSavedView({ ...ref, marks }))

  function remove() {
    const { screen, name, shared } = view
    const again = {
      project,
      draft: { screen, name, search: view.search, shared },
      idempotencyKey: newIdempotencyKey(),
    }
    // In the work itself: the menu is closed by then.
    run(async () => {
      await deleteSavedView(ref)
      showToast({ text: `Deleted the view ${name}.`, undo: () => run(() => createSavedView(again)) })
    })
  }

  return (
    <>
      <MenuLine />
      <MenuLabel>{view.name}</MenuLabel>
      {isModified && (
        <MenuItem
          icon="check"
          disabled={!mayChange || isBusy}
          onSelect={() => run(() => updateSavedView({ ...ref, change: { search } }))}
        >
          Save changes
        </MenuItem>
      )}
      <MenuCheck checked={view.isDefault} onChecked={(isDefault) => mark({ isDefault })}>
        My default here
      </MenuCheck>
      <MenuCheck checked={view.isPinned} onChecked={(isPinned) => mark({ isPinned })}>
        Pin to the navigation
      </MenuCheck>
      <MenuItem icon="edit" disabled={!mayChange} onSelect={onRename}>
        Rename or share…
      </MenuItem>
      <MenuItem icon="trash" danger disabled={!mayChange || isBusy} onSelect={remove}>
        Delete
      </MenuItem>
    </>
  )
}

function useChangingViews(project: string) {
  const queryClient = useQueryClient()
  const changing = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onError: (error) => showToast({ text: toProblem(error).title }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: savedViewsQuery(project).queryKey }),
  })
  return {
    isBusy: changing.isPending,
    run: (work: () => Promise<unknown>) => changing.mutate(work),
  }
}

/** Opens the default once, if the screen was opened without parameters. Clearing a filter later stays possible. */
function useDefaultView({ project, screen, search }: Place, views: readonly SavedView[] | undefined) {
  const openedAt = useRef(search)
  const isDecided = useRef(false)
  const open = useOpenView(project)
  useEffect(() => {
    if (views === undefined || isDecided.current) return
    isDecided.current = true
    const wanted = views.find((view) => view.screen === screen && view.isDefault)
    if (wanted && withoutTime(openedAt.current) === '' && withoutTime(search) === '') open(wanted, true)
  }, [views, screen, search, open])
}
