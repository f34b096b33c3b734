import type { Dashboard, DashboardDraft } from '../../api/dashboards.ts'
import { differencesOf, type TileDifference } from '../../features/dashboards/arrange.ts'
import { tileTitle } from '../../features/dashboards/tile-words.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { TimeAgo } from '../../ui/text/time.tsx'

type ConflictDialogProps = {
  mine: DashboardDraft
  current: Dashboard
  /** Saves over the version of the other member. */
  onMine: () => void
  /** Discards the changes here. */
  onTheirs: () => void
  onClose: () => void
}

/** Someone else saved first: both versions, and which one to keep. */
export function ConflictDialog({ mine, current, onMine, onTheirs, onClose }: ConflictDialogProps) {
  const differences = differencesOf(current.tiles, mine.tiles)
  return (
    <Dialog
      title="Someone else saved first"
      description={
        <>
          Version {current.version} was saved <TimeAgo at={current.updatedAt} />.
        </>
      }
      size="wide"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Keep editing</Button>
          <Button onClick={onTheirs}>Discard mine</Button>
          <Button look="primary" onClick={onMine}>
            Save mine over it
          </Button>
        </>
      }
    >
      <div className="grid gap-16 wide:grid-cols-2">
        <Version title="Saved" of={current} />
        <Version title="Yours" of={mine} />
      </div>
      <section className="grid gap-6">
        <h3 className="font-medium">What saving yours changes</h3>
        {differences.length === 0 ? (
          <p className="text-text-2">No tile differs, apart from the order, the name or the defaults.</p>
        ) : (
          <ul className="grid gap-2">
            {differences.map(({ id, tile, kind }) => (
              <li key={id}>
                <span className="inline-block w-[9ch] text-text-3">{words[kind]}</span> {tileTitle(tile)}
              </li>
            ))}
          </ul>
        )}
      </section>
    </Dialog>
  )
}

const words: Readonly<Record<TileDifference['kind'], string>> = {
  added: 'Adds',
  changed: 'Changes',
  removed: 'Removes',
}

function Version({ title, of }: { title: string; of: DashboardDraft }) {
  return (
    <section className="grid content-start gap-4 rounded-control border border-line p-12">
      <h3 className="text-12 text-text-3">{title}</h3>
      <p className="font-medium [overflow-wrap:anywhere]">{of.name}</p>
      <ol className="grid list-decimal gap-1 pl-18 text-12 text-text-2">
        {of.tiles.map((tile) => (
          <li key={tile.id}>{tileTitle(tile)}</li>
        ))}
      </ol>
    </section>
  )
}
