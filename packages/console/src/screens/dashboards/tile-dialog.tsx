import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import type { Tile } from '../../api/dashboards.ts'
import type { Question } from '../../api/question.ts'
import { DashboardGrid } from '../../features/dashboards/dashboard-grid.tsx'
import { kindNames, tileTitle } from '../../features/dashboards/tile-words.ts'
import { Field } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../ui/overlay/form-buttons.tsx'
import { useSettled } from '../../ui/use-settled.ts'
import { MeasuredTile } from './measured-tile.tsx'
import { faultOfTile, TileFields } from './tile-fields.tsx'

type TileDialogProps = {
  tile: Tile
  isNew: boolean
  question: Question
  onTile: (tile: Tile) => void
  onClose: () => void
}

const widths = ([3, 4, 6, 8, 12] as const).map((width) => ({
  value: String(width),
  label: { 3: 'A quarter', 4: 'A third', 6: 'Half', 8: 'Two thirds', 12: 'Whole row' }[width],
}))
const heights = [
  { value: 'small', label: 'Small' },
  { value: 'medium', label: 'Medium' },
  { value: 'large', label: 'Large' },
] as const

/** What a tile shows, with the result below. It is stored when the dashboard is saved. */
export function TileDialog({ tile: start, isNew, question, onTile, onClose }: TileDialogProps) {
  const [tile, setTile] = useState(start)
  const [isChecked, setChecked] = useState(false)
  const fault = faultOfTile(tile)
  const shown = useSettled(tile, JSON.stringify(tile))

  function submit() {
    setChecked(true)
    if (fault === undefined) onTile({ ...tile, title: tile.title.trim() })
  }

  return (
    <Dialog
      title={isNew ? `New tile: ${kindNames[tile.kind]}` : `Edit ${tileTitle(start)}`}
      size="wide"
      onClose={onClose}
      onSubmit={submit}
      footer={<FormButtons verb={isNew ? 'Add tile' : 'Apply'} busy={false} onCancel={onClose} />}
    >
      <TileFields tile={tile} onTile={setTile} question={question} fault={isChecked ? fault : undefined} />
      <div className="grid gap-16 wide:grid-cols-[minmax(0,1fr)_auto_auto]">
        <Field
          label="Title (optional)"
          value={tile.title}
          placeholder={faultOfTile(tile) === undefined ? tileTitle({ ...tile, title: '' }) : ''}
          onChange={({ currentTarget }) => setTile({ ...tile, title: currentTarget.value })}
          maxLength={limits.nameLength}
          autoComplete="off"
        />
        <Select
          label="Width"
          options={widths}
          value={String(tile.width)}
          onValue={(next) => setTile({ ...tile, width: widthOf(next) })}
        />
        <Select
          label="Height"
          options={heights}
          value={tile.height}
          onValue={(height) => setTile({ ...tile, height })}
        />
      </div>
      {faultOfTile(shown) === undefined && (
        <DashboardGrid>
          <MeasuredTile tile={{ ...shown, width: 12 }} question={question} saved={undefined} />
        </DashboardGrid>
      )}
    </Dialog>
  )
}

function widthOf(text: string): Tile['width'] {
  return ([3, 4, 6, 8, 12] as const).find((width) => String(width) === text) ?? 6
}
