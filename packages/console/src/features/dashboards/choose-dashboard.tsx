import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import {
  createDashboard,
  dashboardQuery,
  dashboardsKey,
  dashboardsQuery,
  draftOf,
  type Tile,
  updateDashboard,
} from '../../api/dashboards.ts'
import { newIdempotencyKey } from '../../api/idempotency-key.ts'
import { Problem, toProblem } from '../../api/problem.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Segmented } from '../../ui/form/choice.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../ui/overlay/form-buttons.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'
import type { ExploreSearch } from '../explore/explore-search.ts'
import { newPlacement } from './new-tile.ts'
import { chartNames, chartOf, measuredOf } from './tile-words.ts'

const isNew = 'new'
const charts = (['line', 'bar', 'table', 'number'] as const).map((value) => ({
  value,
  label: chartNames[value],
}))

/** Adds a question of Explore to a dashboard, or to a new one. */
export function ChooseDashboard({ search, onClose }: { search: ExploreSearch; onClose: () => void }) {
  const { project } = useScope()
  const [typed, setTyped] = useState<string>()
  const [title, setTitle] = useState('')
  const [name, setName] = useState('')
  const [chart, setChart] = useState(() => chartOf(search))
  const [isChecked, setChecked] = useState(false)
  const [idempotencyKey] = useState(newIdempotencyKey)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const found = useInfiniteQuery(dashboardsQuery(project))
  const rows = (found.data?.pages ?? []).flatMap(({ items }) => items)
  const chosen = typed ?? rows[0]?.id ?? isNew

  const adding = useMutation({
    mutationFn: async () => {
      const measured = measuredOf(search, chart)
      if (measured === undefined) throw new Error('A share needs a condition.')
      const tile: Tile = { ...measured, ...newPlacement('explore', chart), title: title.trim() }
      if (chosen === isNew) {
        const draft = {
          name: name.trim(),
          description: '',
          tiles: [tile],
          defaults: { range: '24h' as const },
        }
        return createDashboard({ project, draft, idempotencyKey })
      }
      const place = { project, dashboard: chosen }
      const now = await queryClient.fetchQuery({ ...dashboardQuery(place), staleTime: 0 })
      if (now.tiles.length >= limits.dashboardTiles) throw full()
      const draft = { ...draftOf(now), tiles: [...now.tiles, tile] }
      return updateDashboard({ ...place, draft, version: now.version })
    },
    onSuccess: async ({ id, name: of }) => {
      onClose()
      showToast({
        text: `Added to ${of}.`,
        action: {
          label: 'Open dashboard',
          run: () =>
            void navigate({
              to: '/p/$project/dashboards/$dashboard',
              params: { project, dashboard: id },
              search: ({ env, t }) => ({ env, t }),
            }),
        },
      })
      await queryClient.invalidateQueries({ queryKey: dashboardsKey(project) })
    },
  })
  const fault = chosen === isNew && name.trim() === '' ? 'Enter a name.' : undefined

  return (
    <Dialog
      title="Add to dashboard"
      onClose={onClose}
      onSubmit={() => {
        setChecked(true)
        if (fault === undefined && !adding.isPending) adding.mutate()
      }}
      footer={<FormButtons verb="Add tile" busy={adding.isPending} onCancel={onClose} />}
    >
      <ProblemNotice problem={adding.error && toProblem(adding.error)} />
      <Select
        label="Dashboard"
        options={[
          ...rows.map(({ id, name: of }) => ({ value: id, label: of })),
          { value: isNew, label: 'New dashboard' },
        ]}
        value={chosen}
        onValue={setTyped}
      />
      {chosen === isNew && (
        <Field
          label="Name"
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          maxLength={limits.nameLength}
          fault={isChecked ? fault : undefined}
          autoComplete="off"
        />
      )}
      <div className="grid gap-6">
        <span className="font-medium">Shown as</span>
        <Segmented label="Chart" choices={charts} value={chart} onValue={setChart} />
      </div>
      <Field
        label="Title of the tile (optional)"
        value={title}
        onChange={({ currentTarget }) => setTitle(currentTarget.value)}
        maxLength={limits.nameLength}
        autoComplete="off"
      />
    </Dialog>
  )
}

const full = () =>
  new Problem({ code: 'in-use', title: `A dashboard has at most ${limits.dashboardTiles} tiles` })
