import { type AuditFilter, auditExportAddress } from '../../api/audit.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuLink } from '../../ui/overlay/menu.tsx'

type AuditExportProps = { project: string | undefined; filter: AuditFilter }

/** Downloads the entries that match the filters, as links: the browser shows the progress of a long one. */
export function AuditExport({ project, filter }: AuditExportProps) {
  const name = `audit-${project ?? 'installation'}`
  return (
    <Menu align="end" trigger={<Button icon="out">Export</Button>}>
      <MenuLink>
        <a href={auditExportAddress(project, { ...filter, format: 'csv' })} download={`${name}.csv`}>
          Download as CSV
        </a>
      </MenuLink>
      <MenuLink>
        <a href={auditExportAddress(project, { ...filter, format: 'ndjson' })} download={`${name}.ndjson`}>
          Download as JSON lines
        </a>
      </MenuLink>
    </Menu>
  )
}
