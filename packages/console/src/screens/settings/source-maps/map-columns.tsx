import type { SourceMap } from '../../../api/source-maps.ts'
import { IconButton } from '../../../ui/button.tsx'
import { CopyText } from '../../../ui/copy.tsx'
import type { Column } from '../../../ui/table/column.ts'
import { bytesText } from '../../../ui/text/measure-text.ts'
import { TimeAgo } from '../../../ui/text/time.tsx'

interface MapColumnsOptions {
  onVersion: (version: string) => void
  /** Undefined without permission. */
  onDelete: ((map: SourceMap) => void) | undefined
}

const hashShown = 12

export function mapColumns({ onVersion, onDelete }: MapColumnsOptions): readonly Column<SourceMap>[] {
  return [
    {
      id: 'file',
      header: 'Script',
      fixed: true,
      card: 'title',
      width: '38%',
      cell: ({ file, debugId }) => (
        <span className="grid min-w-0">
          <code className="truncate font-medium" title={file}>
            {file}
          </code>
          {debugId !== null && (
            <span className="flex min-w-0 items-center gap-4 text-12 text-text-3">
              Debug id <CopyText text={debugId} label="Copy the debug id" />
            </span>
          )}
        </span>
      ),
    },
    {
      id: 'version',
      header: 'Version',
      cell: ({ version }) =>
        version === '' ? (
          <span className="text-text-3">any</span>
        ) : (
          <button
            type="button"
            className="min-h-24 max-w-full cursor-pointer truncate font-code text-12 text-accent hover:underline"
            title={`Only maps of ${version}`}
            onClick={() => onVersion(version)}
          >
            {version}
          </button>
        ),
    },
    { id: 'size', header: 'Size', align: 'end', card: 'none', cell: ({ size }) => bytesText(size) },
    {
      id: 'hash',
      header: 'Hash',
      hideBelow: 'full',
      card: 'none',
      cell: ({ hash }) => (
        <code className="text-text-2" title={`SHA-256 of the map: ${hash}`}>
          {hash.slice(0, hashShown)}
        </code>
      ),
    },
    {
      id: 'uploaded',
      header: 'Uploaded',
      cell: ({ uploadedAt, uploadedBy }) => (
        <span className="grid min-w-0">
          <TimeAgo at={uploadedAt} />
          <span className="truncate text-12 text-text-3" title={uploadedBy}>
            by {uploadedBy}
          </span>
        </span>
      ),
    },
    {
      id: 'actions',
      header: 'Actions',
      hiddenHeader: true,
      fixed: true,
      align: 'end',
      card: 'aside',
      width: '52px',
      cell: (map) =>
        onDelete && (
          <IconButton icon="trash" label={`Delete map of ${map.file}…`} onClick={() => onDelete(map)} />
        ),
    },
  ]
}
