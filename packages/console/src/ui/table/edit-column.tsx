import { IconButton } from '../button.tsx'
import type { Column } from './column.ts'

interface EditColumnOptions<Row> {
  mayChange: boolean
  editLabel?: (row: Row) => string
  onEdit: (row: Row) => void
  /** Undefined for rows that cannot be deleted. */
  onDelete?: ((row: Row) => void) | undefined
}

/** The last column of a table: a button that changes the row, and one that deletes it. */
export function editColumn<Row extends { name: string }>({
  mayChange,
  editLabel = ({ name }) => `Change ${name}`,
  onEdit,
  onDelete,
}: EditColumnOptions<Row>): Column<Row> {
  return {
    id: 'actions',
    header: 'Actions',
    hiddenHeader: true,
    fixed: true,
    align: 'end',
    card: 'aside',
    width: '88px',
    cell: (row) => (
      <span className="inline-flex gap-4">
        <IconButton icon="edit" label={editLabel(row)} disabled={!mayChange} onClick={() => onEdit(row)} />
        {onDelete && (
          <IconButton
            icon="trash"
            label={`Delete ${row.name}`}
            disabled={!mayChange}
            onClick={() => onDelete(row)}
          />
        )}
      </span>
    ),
  }
}
