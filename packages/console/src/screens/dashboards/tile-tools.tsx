import type { HTMLAttributes, KeyboardEvent } from 'react'
import type { Tile } from '../../api/dashboards.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/overlay/menu.tsx'
import type { DashboardEditing } from './use-dashboard-draft.ts'

type TileToolsProps = {
  tile: Tile
  /** What a screen reader calls it. */
  name: string
  /** There is no room for a copy. */
  isFull: boolean
  handle: HTMLAttributes<HTMLButtonElement>
  editing: DashboardEditing
  onEdit: () => void
}

/** Moves and resizes by pointer, by arrow keys on the handle, and by the menu. */
export function TileTools({ tile, name, isFull, handle, editing, onEdit }: TileToolsProps) {
  const { id } = tile
  const at = editing.draft.tiles.findIndex((one) => one.id === id)

  function press(event: KeyboardEvent) {
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    if (event.shiftKey) editing.resize(id, step.resize)
    else editing.move(id, at + step.move)
  }

  return (
    <span className="flex shrink-0 items-center">
      <button
        type="button"
        aria-label={`Move ${name}`}
        title="Drag, or use the arrow keys; with shift they resize"
        aria-roledescription="Drag handle: arrow keys move, shift and arrow keys resize"
        className="inline-grid size-ctl cursor-grab touch-none place-items-center rounded-control text-text-3 hover:bg-hover hover:text-text active:cursor-grabbing"
        onKeyDown={press}
        {...handle}
      >
        <Icon name="drag" />
      </button>
      <IconButton icon="edit" label={`Edit ${name}`} onClick={onEdit} />
      <Menu align="end" trigger={<IconButton icon="more" label={`More for ${name}`} />}>
        <MenuItem icon="up" disabled={at === 0} onSelect={() => editing.move(id, at - 1)}>
          Move earlier
        </MenuItem>
        <MenuItem
          icon="down"
          disabled={at === editing.draft.tiles.length - 1}
          onSelect={() => editing.move(id, at + 1)}
        >
          Move later
        </MenuItem>
        <MenuLine />
        <MenuItem disabled={tile.width === 12} onSelect={() => editing.resize(id, { width: 1 })}>
          Wider
        </MenuItem>
        <MenuItem disabled={tile.width === 3} onSelect={() => editing.resize(id, { width: -1 })}>
          Narrower
        </MenuItem>
        <MenuItem disabled={tile.height === 'large'} onSelect={() => editing.resize(id, { height: 1 })}>
          Taller
        </MenuItem>
        <MenuItem disabled={tile.height === 'small'} onSelect={() => editing.resize(id, { height: -1 })}>
          Shorter
        </MenuItem>
        <MenuLine />
        <MenuItem icon="copy" disabled={isFull} onSelect={() => editing.duplicate(id)}>
          Duplicate
        </MenuItem>
        <MenuItem icon="trash" danger onSelect={() => editing.remove(id)}>
          Remove
        </MenuItem>
      </Menu>
    </span>
  )
}

type Step = { move: 1 | -1; resize: Parameters<DashboardEditing['resize']>[1] }

const steps: Readonly<Record<string, Step>> = {
  ArrowLeft: { move: -1, resize: { width: -1 } },
  ArrowRight: { move: 1, resize: { width: 1 } },
  ArrowUp: { move: -1, resize: { height: -1 } },
  ArrowDown: { move: 1, resize: { height: 1 } },
}
