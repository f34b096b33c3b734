import type { FieldRef } from '@telltale/core/query/filter'
import type { Explored } from '../../api/explore.ts'
import type { ExploreSearch } from '../../features/explore/explore-search.ts'
import { Button } from '../../ui/button.tsx'
import { fieldLabel } from '../../ui/filter/field-words.ts'
import { Menu, MenuItem } from '../../ui/overlay/menu.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { measureLabel } from '../../ui/text/measure-words.ts'
import type { ExploredRow } from './rows.ts'
import { seriesCsv, tableCsv } from './write-csv.ts'

type ExportMenuProps = {
  explored: Explored
  rows: readonly ExploredRow[]
  fields: readonly FieldRef[]
  search: ExploreSearch
}

/** Exports the result for other programs. */
export function ExportMenu({ explored, rows, fields, search }: ExportMenuProps) {
  const names = fields.map(fieldLabel)
  const table = () =>
    tableCsv({ fields: names, measure: measureLabel(search), rows, hasBefore: search.compare === true })
  const file = (ending: string) => `explore-${explored.from.slice(0, 10)}.${ending}`

  function copy() {
    // The clipboard API requires a secure context.
    const clipboard: Clipboard | undefined = navigator.clipboard
    const fail = () => showToast({ text: 'The browser blocked copying. Download it instead.' })
    if (!clipboard) return fail()
    clipboard.writeText(table()).then(() => showToast({ text: 'Table copied as CSV.' }), fail)
  }

  return (
    <Menu align="end" trigger={<Button icon="out">Export</Button>}>
      {fields.length > 0 && (
        <>
          <MenuItem icon="copy" onSelect={copy}>
            Copy table as CSV
          </MenuItem>
          <MenuItem icon="out" onSelect={() => saveFile(file('csv'), table(), 'text/csv')}>
            Download the table as CSV
          </MenuItem>
        </>
      )}
      <MenuItem
        icon="out"
        onSelect={() => saveFile(file('over-time.csv'), seriesCsv(explored, names), 'text/csv')}
      >
        Download it over time as CSV
      </MenuItem>
      <MenuItem
        icon="out"
        onSelect={() => saveFile(file('json'), JSON.stringify(explored, null, 2), 'application/json')}
      >
        Download everything as JSON
      </MenuItem>
    </Menu>
  )
}
